import fc, { type Arbitrary } from 'fast-check'
import type { Part } from './fields.ts'

/** The content of the file that exists. */
export const fileContent = '0123456789'.repeat(20)

type Headers = Readonly<Record<string, string>>

/**
 * Headers with a `Range` that the file has, that counts for nothing (RFC 9110, section 14.2), or that is after its end, which HEAD does not have. Or
 * with a condition, which comes before any range.
 */
export function rangePart(method: string): Arbitrary<Part<Headers>> {
  const { length } = fileContent
  const place = fc.nat(length - 1)
  const satisfiable = fc.oneof(
    fc.tuple(place, place).map((both) => `bytes=${Math.min(...both)}-${Math.max(...both)}`),
    place.map((at) => `bytes=${at}-`),
    place.map((count) => `bytes=-${count + 1}`),
    place.map((at) => `bytes=${at}-${length * 10}`),
  )
  const ignored = fc.constantFrom(
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=0-1,4-5',
    'items=0-1',
    'bytes=x-y',
  )
  const after = fc.oneof(
    fc.constant('bytes=-0'),
    fc.nat(length).map((more) => `bytes=${length + more}-`),
  )
  const valid = fc.oneof(satisfiable, ignored).map((range): Headers => ({ range }))
  const unless = after.map((range): Headers => ({ range, 'if-range': '"another"' }))
  const unchanged = after.map((range): Headers => ({ range, 'if-none-match': '*' }))
  const other = after.map((range): Headers => ({ range, 'if-match': '"another"' }))
  const accepted = fc.oneof(fc.constant({}), { weight: 3, arbitrary: valid }, unless, unchanged)
  return fc.oneof(
    { weight: 3, arbitrary: accepted.map((value) => ({ value, isValid: true })) },
    after.map((range) => ({ value: { range }, isValid: method === 'head' })),
    other.map((value) => ({ value, isValid: false })),
  )
}

/** Throws when an answer has other bytes of the file than it says. */
export function checkFile(status: number, contentRange: unknown, body: string): void {
  const [, start = '0', last = String(fileContent.length - 1)] =
    /^bytes (\d+)-(\d+)\//.exec(String(contentRange)) ?? []
  if (status === 206 && contentRange === undefined) throw new Error('a part does not say which one it is')
  if (body !== fileContent.slice(Number(start), Number(last) + 1))
    throw new Error(`${status} with ${String(contentRange)} has ${body}`)
}
