import fc, { type Arbitrary } from 'fast-check'
import { invalidFields, validFields, type Body, type Known, type Part, type Schema } from './fields.ts'

/** What a file may have at most here. */
export const fileMaxBytes = 2_000

const boundary = 'boundary-of-the-campaign'
export const formType = `multipart/form-data; boundary=${boundary}`

interface SentPart {
  readonly head: string
  readonly text: string
}

const names = [
  'a.txt',
  'ü 文.pdf',
  '\u{1f511}',
  'x'.repeat(255),
  '..x',
  '%2e%2e',
  'a;b=%22c',
  "it's",
  '-rf',
  'con',
  '<b>',
]
const badNames = [
  '',
  '.',
  '..',
  'a/b',
  '../a',
  '\\\\',
  'C:\\\\a',
  'a\0',
  'a%0Ab',
  '\u202egpj',
  'a\u200bb',
  ' ',
  'x'.repeat(256),
  '文'.repeat(86),
]
const types = ['', 'text/plain', 'Text/HTML; charset=x', 'no type', 'image/png']

/** The part of a form that comes before its files: JSON of this schema. */
export interface FirstPart {
  readonly name: string
  readonly schema: Schema
}

/** A form with files: a valid one, or one with a fault. */
export function formPart({ name, schema }: FirstPart, filesMax: number, known: Known): Arbitrary<Part<Body>> {
  const firstPart = (text: string): SentPart => ({ head: `name="${name}"`, text })
  // Only a form with a file may leave its note out, or empty.
  const { properties = {}, required = [] } = schema
  const note = { ...properties['note'], minLength: 1 }
  const withNote = { ...schema, properties: { ...properties, note }, required: [...required, 'note'] }
  const valid = validFields(withNote, known).map(({ value }) => firstPart(JSON.stringify(value)))
  const invalid = invalidFields(schema, known, true).map(({ value }) => firstPart(JSON.stringify(value)))
  const few = fc.array(file(names), { maxLength: 3 })
  const most = fc.array(file(names), { minLength: filesMax, maxLength: filesMax })
  const accepted = fc.tuple(valid, fc.oneof({ weight: 2, arbitrary: few }, { weight: 1, arbitrary: most }))
  const whole = (parts: Arbitrary<readonly [SentPart, readonly SentPart[]]>) =>
    parts.map(([first, files]) => [first, ...files])
  const refused = fc.oneof(
    whole(fc.tuple(invalid, few)),
    whole(fc.tuple(valid, fc.tuple(file(badNames)))),
    whole(fc.tuple(valid, fc.array(file(names), { minLength: filesMax + 1, maxLength: filesMax + 5 }))),
    whole(
      fc.tuple(valid, fc.tuple(file(names, { minLength: fileMaxBytes + 1, maxLength: fileMaxBytes + 9 }))),
    ),
    whole(accepted).chain((parts) => withFault(parts)),
  )
  const sent = (parts: Arbitrary<readonly SentPart[]>, isValid: boolean) =>
    parts.map((all) => ({ value: { type: formType, text: textOf(all) }, isValid }))
  const surrounded = whole(accepted).chain((parts) => surroundedForm(textOf(parts)))
  const broken = whole(accepted).chain((parts) => brokenForm(textOf(parts)))
  return fc.oneof(
    { weight: 3, arbitrary: sent(whole(accepted), true) },
    { weight: 3, arbitrary: sent(refused, false) },
    surrounded,
    broken,
  )
}

function file(
  fileNames: readonly string[],
  lengths: fc.StringConstraints = { maxLength: 300 },
): Arbitrary<SentPart> {
  return fc
    .tuple(fc.constantFrom(...fileNames), fc.constantFrom(...types), fc.string({ ...lengths, size: 'max' }))
    .map(([name, type, text]) => ({
      head: `name="file"; filename="${name}"${type === '' ? '' : `\r\nContent-Type: ${type}`}`,
      text,
    }))
}

/** Parts that no form of the document has. */
function withFault(parts: readonly SentPart[]): Arbitrary<readonly SentPart[]> {
  const [first = { head: 'name="file"', text: '' }, ...files] = parts
  const { text } = first
  return fc.constantFrom(
    [{ ...first, head: 'name="secrets"' }, ...files],
    [{ head: `${first.head}\r\nContent-Type: text/plain`, text }, ...files],
    [first, ...files, first],
    [first, ...files, { head: 'name="file"', text }],
    [first, ...files, { head: 'name="other"; filename="a"', text }],
    [first, ...files, { head: 'name="file"; name="file"; filename="a"', text }],
    [
      first,
      ...files,
      { head: 'name="file"; filename="a"\r\nContent-Transfer-Encoding: base64', text: 'YQ==' },
    ],
    [{ head: 'name="file"; filename="a"', text }, first],
    [],
  )
}

function textOf(parts: readonly SentPart[]): string {
  const sent = parts.map(
    ({ head, text }) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`,
  )
  return `${sent.join('')}--${boundary}--\r\n`
}

/** A form with a little before it or after it, which is skipped (RFC 2046, section 5.1.1). */
function surroundedForm(text: string): Arbitrary<Part<Body>> {
  return fc
    .constantFrom(`\r\n${text}`, `before\r\n${text}`, `${text}more`)
    .map((surrounded) => ({ value: { type: formType, text: surrounded }, isValid: true }))
}

/** A form that ends early, has more than a little around it, or is none. */
function brokenForm(text: string): Arbitrary<Part<Body>> {
  const end = text.lastIndexOf(boundary)
  const bodies: readonly Body[] = [
    { type: formType, text: text.slice(0, end) },
    { type: formType, text: `${text}${'more'.repeat(300)}` },
    { type: formType, text: `${'before'.repeat(200)}\r\n${text}` },
    { type: formType, text: text.replace('\r\n\r\n', '\r\n') },
    { type: 'multipart/form-data', text },
    { type: `multipart/form-data; boundary=${'b'.repeat(71)}`, text },
    { type: formType.replace('form-data', 'mixed'), text },
  ]
  return fc
    .oneof(
      fc.constantFrom(...bodies),
      fc.nat(end).map((at) => ({ type: formType, text: text.slice(0, at) })),
    )
    .map((value) => ({ value, isValid: false }))
}
