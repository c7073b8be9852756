/**
 * How many bytes, rounded down, in the largest sensible unit of a language: “512 bytes”, “12.3 MB”. KB are 1,024 bytes. The script of a page has
 * this function, too, so it uses nothing around it.
 */
export function sizeText(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte']
  let size = bytes
  let at = 0
  while (size >= 1_024 && at < 3) {
    size /= 1_024
    at += 1
  }
  const rounded = size < 100 ? Math.floor(size * 10) / 10 : Math.floor(size)
  const unitDisplay = at === 0 ? 'long' : 'short'
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[at] ?? 'gigabyte',
    unitDisplay,
    maximumFractionDigits: 1,
  }).format(rounded)
}
