import fc, { type Arbitrary } from 'fast-check'
import { payloads } from './payloads.ts'
import { fileMaxBytes } from './world.ts'

/** What is done to one field of a form before it is sent. */
export interface Fault {
  /** The number of the field. */
  readonly at: number
  readonly how: 'replaced' | 'left out' | 'doubled' | 'added'
  readonly text: string
}

export const shapes = [
  'form',
  'without a type',
  'json',
  'plain text',
  'multipart',
  'another charset',
  'compressed',
  'half an escape',
  'invalid UTF-8',
  'a surrogate',
  'too many fields',
  'giant',
] as const

export type Shape = (typeof shapes)[number]

export const kinds = [
  'form',
  'files',
  'foreign',
  'over',
  'several',
  'tabs',
  'stranger',
  'wander',
  'later',
  'read',
] as const

export interface ChosenFile {
  readonly name: string
  readonly size: number
  /** What its content consists of. */
  readonly fill: number
}

/** One thing that happens. Numbers choose among what there is at that moment. */
export interface Step {
  readonly kind: (typeof kinds)[number]
  readonly page: number
  readonly form: number
  readonly button: number
  /** The number of the value, where several are valid. */
  readonly value: number
  readonly faults: readonly Fault[]
  readonly shape: Shape
  readonly origin: Readonly<Record<string, string>>
  readonly text: string
  /** What somebody chooses where a form takes files. */
  readonly files: readonly ChosenFile[]
}

const text: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...payloads) },
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.tuple(fc.constantFrom(...payloads), fc.constantFrom(...payloads)).map((both) => both.join(' ')),
)

const fault: Arbitrary<Fault> = fc.record({
  at: fc.nat(20),
  how: fc.constantFrom('replaced', 'replaced', 'replaced', 'replaced', 'left out', 'doubled', 'added'),
  text,
})

const evil = 'https://evil.example'

/** Headers with which browsers say that a request comes from elsewhere. `own` stands for the origin of the pages. */
const foreign: Arbitrary<Readonly<Record<string, string>>> = fc
  .record(
    {
      'sec-fetch-site': fc.constantFrom(
        'cross-site',
        'same-site',
        'none',
        '',
        'Same-Origin',
        'same-origin, cross-site',
      ),
      origin: fc.constantFrom(
        evil,
        'null',
        '',
        'http://own.evil.example',
        'own',
        'own/',
        'own:1',
        'http://127.0.0.1',
      ),
      referer: fc.constantFrom(`${evil}/`, 'own/settings', ''),
      'sec-fetch-mode': fc.constantFrom('navigate', 'no-cors', 'cors'),
      'sec-fetch-dest': fc.constantFrom('document', 'iframe', 'empty'),
      'x-requested-with': fc.constant('XMLHttpRequest'),
    },
    { requiredKeys: [] },
  )
  .filter((headers) => isForeign(headers))

/** The rule of the documents: the relation counts where the browser gives it, else the origin. */
function isForeign(headers: { readonly 'sec-fetch-site'?: string; readonly origin?: string }): boolean {
  const { 'sec-fetch-site': site, origin } = headers
  return site === undefined ? origin !== undefined && origin !== 'own' : true
}

const fileName: Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'a.txt',
      'Ünï 文.pdf',
      ' ',
      '..x',
      '-rf',
      'con',
      'a"b;c=d',
      "it's",
      '%2e%2e%2f',
      'x'.repeat(255),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom(...payloads).filter((name) => name !== '' && name.length < 1_200) },
)

const fileSize: Arbitrary<number> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(0, 1, 5, 1_023, 1_024, 65_535, 65_536, 65_537, fileMaxBytes) },
  { weight: 12, arbitrary: fc.nat(fileMaxBytes) },
  fc.constant(fileMaxBytes + 1),
)

const file: Arbitrary<ChosenFile> = fc.record({ name: fileName, size: fileSize, fill: fc.nat(1_000) })
const smallFile = file.map((each) => ({ ...each, size: each.size % 100 }))

/** None, a few, one twice, and about as many as a secret may have. */
const files: Arbitrary<readonly ChosenFile[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 8, arbitrary: fc.array(file, { minLength: 1, maxLength: 3 }) },
  smallFile.map((each) => [each, each]),
  fc.array(smallFile, { minLength: 9, maxLength: 12 }),
)

const byWeight = (kind: Step['kind'], weight: number) => ({ weight, arbitrary: fc.constant(kind) })

/** What happens to one owner, one thing after the other. */
export const steps: Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      byWeight('form', 12),
      byWeight('files', 2),
      byWeight('read', 2),
      byWeight('foreign', 4),
      byWeight('over', 2),
      byWeight('tabs', 2),
      byWeight('several', 1),
      byWeight('stranger', 4),
      byWeight('wander', 3),
      byWeight('later', 1),
    ),
    page: fc.nat(10_000),
    form: fc.nat(100),
    button: fc.nat(3),
    value: fc.nat(1_000),
    faults: fc.oneof(fc.constant([]), fc.array(fault, { minLength: 1, maxLength: 3 })),
    shape: fc.oneof({ weight: 6, arbitrary: fc.constant('form' as const) }, fc.constantFrom(...shapes)),
    origin: foreign,
    text,
    files,
  }),
  { minLength: 1, maxLength: 25, size: 'max' },
)
