import { encoded, entriesOf, type Entries, type Field, type PageForm } from './forms.ts'
import type { Fault, Shape, Step } from './inputs.ts'
import { payloads } from './payloads.ts'
import { inParts, multipartType, type SentFile } from './sent-files.ts'
import type { Visit } from './visit.ts'

export interface Filled {
  readonly entries: Entries
  /** The names of fields into which something generated was entered. */
  readonly faulty: readonly Field[]
  /** Whether nothing but values of fields that a person can edit was changed. */
  readonly isTyped: boolean
}

/** Values with which the service takes a form. */
export function validEntries(
  visit: Visit,
  form: PageForm,
  { button, value }: Pick<Step, 'button' | 'value'>,
): Entries {
  const entered = new Map(
    form.fields.flatMap((field): readonly [string, string | undefined][] => {
      const valid = validValue(visit, form, field, value)
      return valid === 'as it is' ? [] : [[field.name, valid.text]]
    }),
  )
  return entriesOf(form, button, entered)
}

function validValue(
  { owner, world, next }: Visit,
  { action }: PageForm,
  { name, type, options }: Field,
  value: number,
): 'as it is' | { readonly text: string | undefined } {
  if (type === 'hidden' || (type === 'textarea' && name !== 'note')) return 'as it is'
  if (type === 'checkbox') {
    // A token without scopes is refused, and a draft keeps its password.
    if (name === 'read') return { text: 'on' }
    // Only a script sends what it has encrypted; the box by itself is refused.
    if (name === 'remove-password' || name === 'seal') return 'as it is'
    // The field's name ends in the id of a file of the draft.
    if (name.startsWith('remove-')) return { text: value % 3 === 0 ? options[0] : undefined }
    return { text: value % (name === 'show-files' ? 3 : 2) === 0 ? 'on' : undefined }
  }
  if (type === 'select') return { text: options[value % options.length] }
  switch (name) {
    case 'proof':
      return { text: owner.password }
    case 'password':
      return { text: passwordFor(action, owner, value, next) }
    case 'email':
      return { text: action === '/settings/email' ? `p${next()}@example.org` : owner.email }
    case 'note':
      return { text: safeTexts[value % safeTexts.length] }
    case 'label':
    case 'title':
    case 'name':
      return { text: `<b>${next()}</b> & "co" ${'é'.repeat(value % 30)}` }
    case 'words':
      // The word stands in the owner's titles.
      return { text: owner.word }
    case 'count':
      return { text: String(1 + (value % 1_000_000)) }
    case 'url':
      return { text: `${world.receiver}/hook/${next()}?<x>` }
    default:
      return 'as it is'
  }
}

/** Every line break is what a browser makes of it. */
const safeTexts = [
  'a note',
  ...payloads
    .filter((text) => text.trim() !== '' && !text.includes('\0') && text.length < 60_000)
    .map((text) => text.replaceAll(/\r\n|\r|\n/g, '\r\n')),
]

function passwordFor(action: string, owner: Visit['owner'], value: number, next: () => number): string {
  if (action.split('?')[0] === '/login') return owner.password
  if (action === '/settings/password' || action.startsWith('/welcome/'))
    return `another passphrase, the ${next()}.`
  if (action.startsWith('/drafts/')) return owner.draftPassword
  return value % 2 === 0 ? '' : `a link's password ${next()}`
}

/** The entries of a form after the faults. */
export function withFaults(form: PageForm, entries: Entries, faults: readonly Fault[]): Filled {
  const faulty: Field[] = []
  let isTyped = true
  const changed = faults.reduce<Entries>((sent, { at, how, text }) => {
    const nr = sent.length === 0 ? -1 : at % sent.length
    const [name = text, value = ''] = sent[nr] ?? []
    const field = form.fields.find((each) => each.name === name)
    if (how === 'replaced' && nr >= 0) {
      if (field !== undefined) faulty.push(field)
      if (field === undefined || !editable.has(field.type)) isTyped = false
      return sent.with(nr, [name, text])
    }
    isTyped = false
    if (how === 'left out') return sent.filter((_, other) => other !== nr)
    return [...sent, how === 'doubled' && nr >= 0 ? [name, value] : [text, value]]
  }, entries)
  return { entries: changed, faulty, isTyped }
}

const editable = new Set(['text', 'search', 'email', 'password', 'url', 'textarea', 'number'])

/** No page shows the value of such a field again. */
export const isPassword = (name: string): boolean => name === 'password' || name === 'proof'

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

const formType = 'application/x-www-form-urlencoded'

/**
 * A body as it is sent. Every shape but `form` is one that no form of the pages has.
 * @param files of a form that takes some
 */
export function bodyOf(shape: Shape, entries: Entries, files?: readonly SentFile[]): Sent {
  const body = encoded(entries)
  const typed = (type: string, text: string | Buffer = body, more = {}): Sent => ({
    headers: { 'content-type': type, ...more },
    body: text,
  })
  const more = (text: string): string => (body === '' ? text : `${body}&${text}`)
  switch (shape) {
    case 'form':
      return files === undefined ? typed(formType) : typed(multipartType, inParts(entries, files))
    case 'without a type':
      return { headers: {}, body: more('x=1') }
    case 'json':
      return typed('application/json', JSON.stringify(Object.fromEntries(entries)))
    case 'plain text':
      return typed('text/plain', more('x=1'))
    case 'multipart': {
      // Where a form is sent in parts, half of one.
      const whole = inParts(entries, files)
      return typed(multipartType, files === undefined ? whole : whole.subarray(0, -20))
    }
    case 'another charset':
      return typed(`${formType}; charset=iso-8859-1`, more('x=%E9'))
    case 'compressed':
      return typed(formType, more('x=1'), { 'content-encoding': 'gzip' })
    case 'half an escape':
      return typed(formType, more('x=%4'))
    case 'invalid UTF-8':
      return typed(formType, Buffer.concat([Buffer.from(more('x=')), Buffer.of(0xff, 0xfe)]))
    case 'a surrogate':
      return typed(formType, more('x=%ED%A0%80'))
    case 'too many fields':
      return typed(formType, more('&'.repeat(32)))
    case 'giant':
      return typed(formType, more(`x=${'x'.repeat(3 * 65_536 + 16 * 1_024)}`))
  }
}
