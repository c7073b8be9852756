/** A number of bytes in its largest unit, as the pages show it: `812 bytes`, `1.2 MB`. KB are 1,024 bytes. */
export function sizeText(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1_024 ** 3],
    ['MB', 1_024 ** 2],
    ['kB', 1_024],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}
