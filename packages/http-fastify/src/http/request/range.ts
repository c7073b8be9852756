/** One range of bytes. Empty elements of a list count for nothing (RFC 9110, section 5.6.1.2). */
const oneRange = /^bytes=[ \t,]*(\d*)-(\d*)[ \t,]*$/i

/**
 * The bytes of a content of `size` bytes that a `Range` asks for (RFC 9110, sections 14.1.1, 14.1.2 and 14.2). All bytes without the field,
 * when it is invalid or has another unit or several ranges, and when it asks for the last bytes of an empty content: section 14.2 allows to
 * ignore any `Range`. `unsatisfiable` when the range begins after the end, or has no byte.
 */
export function rangeOf(
  field: string | undefined,
  size: number,
): { readonly start: number; readonly end: number; readonly isPart: boolean } | 'unsatisfiable' {
  const all = { start: 0, end: size, isPart: false }
  const [, first = '', last = ''] = oneRange.exec(field ?? '') ?? []
  if (first === '' && last === '') return all
  if (first === '') {
    if (Number(last) === 0) return 'unsatisfiable'
    return size === 0 ? all : { start: Math.max(size - Number(last), 0), end: size, isPart: true }
  }
  if (last !== '' && Number(last) < Number(first)) return all
  if (Number(first) >= size) return 'unsatisfiable'
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  return { start: Number(first), end, isPart: true }
}
