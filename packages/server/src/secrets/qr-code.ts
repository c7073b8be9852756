import encodeQr from 'qr'

/**
 * A QR code for a terminal, in colours of its own. Each line has two rows of modules, so that the code of a link fits into 80 columns: a line
 * that wraps makes it unreadable.
 */
export function drawnQrCode(text: string): string {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 4 })
  const lines = rows.flatMap((upper, y) => (y % 2 === 0 ? [drawnLine(upper, rows[y + 1])] : []))
  return lines.join('')
}

/** The upper half of a character has the colour of its text, the lower half that of its background: black or white. */
function drawnLine(upper: readonly boolean[], lower: readonly boolean[] = []): string {
  const cells = upper.map((isDark, x) => `\u001b[${isDark ? 30 : 97};${(lower[x] ?? false) ? 40 : 107}m▀`)
  return `${cells.join('')}\u001b[0m\n`
}
