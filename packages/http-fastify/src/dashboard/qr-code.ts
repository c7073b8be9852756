import encodeQr from 'qr'
import { markup, trusted, type Html } from '../design/html.ts'

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
  return markup`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${alternative}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${trusted(path)}"/></svg>`
}

/** One rectangle for each run of dark modules. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] !== true) continue
    const start = x
    while (row[x] === true) x += 1
    const width = String(x - start)
    path += `M${String(start)} ${String(y)}h${width}v1h-${width}z`
  }
  return path
}
