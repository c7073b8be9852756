import { isPlainSvg } from './svg.ts'

/** The largest logo, in bytes: it is a part of every page. */
export const logoMaxBytes = 100 * 1024

const pngBegin = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
const pngEnd = Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1')
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A logo as a data URL for an `<img>`, in which a browser runs no script and loads nothing.
 * @returns `undefined` when it is neither a PNG file nor a plain SVG drawing in UTF-8, or larger than {@link logoMaxBytes}
 */
export function logoUrl(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes)
  if (file.length > logoMaxBytes) return undefined
  if (isPng(file)) return `data:image/png;base64,${file.toString('base64')}`
  return isSvg(file) ? `data:image/svg+xml;base64,${file.toString('base64')}` : undefined
}

function isPng(file: Buffer): boolean {
  return file.subarray(0, pngBegin.length).equals(pngBegin) && file.subarray(-pngEnd.length).equals(pngEnd)
}

function isSvg(file: Buffer): boolean {
  try {
    return isPlainSvg(utf8.decode(file))
  } catch {
    return false
  }
}
