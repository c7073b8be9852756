import encodeQr from 'qr'
import { markup, trusted, type Html } from '@sotto/html'

/** Modules of white around the symbol (ISO/IEC 18004, section 9.1). */
const quietZone = 4

/**
 * The QR code of a text as an SVG, black on white in every colour scheme, so that scanners read it.
 * @param alternative what the picture is, for those who cannot see it
 */
export function qrCode(text: string, alternative: string): Html {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: quietZone })
  const size = String(rows.length)
  const path = rows.map((row, y) => runsOf(row, y)).join('')
  return markup`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${alternative}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${trusted(path)}"/></svg>`
}

/** One line, as wide as a module, along the middle of a row: it is drawn over dark modules and moved over light ones. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = `M0 ${String(y)}.5`
  for (let end = 0; end < row.length;) {
    const start = end
    while (end < row.length && row[end] === row[start]) end += 1
    path += row[start] === true ? `h${String(end - start)}` : `m${String(end - start)} 0`
  }
  return path
}
