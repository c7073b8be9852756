import fc, { type Arbitrary } from 'fast-check'
import { intruder } from './check.ts'

/** What is done to one field of a form before it is sent. */
export interface Fault {
  /** Which of the fields. */
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
  'foreign',
  'over',
  'several',
  'tabs',
  'stranger',
  'wander',
  'later',
  'read',
] as const

/** One thing that happens. Numbers choose among what there is at that moment. */
export interface Step {
  readonly kind: (typeof kinds)[number]
  readonly page: number
  readonly form: number
  readonly button: number
  /** Which of several valid values. */
  readonly value: number
  readonly faults: readonly Fault[]
  readonly shape: Shape
  readonly origin: Readonly<Record<string, string>>
  readonly text: string
}

/** Texts that have broken other programs. */
export const payloads: readonly string[] = [
  `"><${intruder}>`,
  `' on${intruder}=1 x="`,
  `" on${intruder}="1`,
  `</textarea><${intruder}>`,
  `</title></style></script><${intruder}>`,
  `<script>${intruder}()</script>`,
  `<img src=x onerror=${intruder}()>`,
  `<!--${intruder}`,
  `&lt;${intruder}&gt;&quot;&#34;`,
  `javascript:${intruder}()`,
  `//${intruder}.example/`,
  `{{${intruder}}}\${${intruder}}`,
  `%3C${intruder}%3E`,
  `'; DROP TABLE accounts; --${intruder}`,
  '../../../etc/passwd',
  '__proto__',
  'constructor',
  '[object Object]',
  'a\0b',
  '\u0007\u001b[2J',
  '\r\nset-cookie: sotto=x',
  '\u202e\u2066\u200f\u200b\ufeff',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'e\u0301\u0323'.repeat(40),
  '\ufffd\uffff',
  '0',
  '-1',
  '1e3',
  '1000001',
  '99999999999999999999',
  '٣',
  'true',
  'null',
  '00000000-0000-0000-0000-000000000000',
  ' ',
  '',
  '\n\n',
  'x'.repeat(256),
  'x'.repeat(1_100),
  '\u{1f511}'.repeat(300),
  'x'.repeat(20_000),
  '<&"\''.repeat(9_000),
  'x'.repeat(70_000),
]

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

const byWeight = (kind: Step['kind'], weight: number) => ({ weight, arbitrary: fc.constant(kind) })

/** What happens to one owner, one thing after the other. */
export const steps: Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      byWeight('form', 12),
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
  }),
  { minLength: 1, maxLength: 25, size: 'max' },
)
