/** A number of bytes in its largest unit, as an operator reads it: `812 bytes`, `1.2 MB`. */
export function sizeText(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}
