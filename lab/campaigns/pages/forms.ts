import { descendants, type Element, type ReadPage } from './html.ts'

/** Names and values, in their order. */
export type Entries = readonly (readonly [name: string, value: string])[]

export interface Field {
  readonly name: string
  /** Such as `text`, `hidden`, `checkbox`, `select` and `textarea`. */
  readonly type: string
  /** What a browser sends when nobody touches it; `undefined` when it sends nothing. */
  readonly value: string | undefined
  /** The values of a choice. */
  readonly options: readonly string[]
}

/** A form as a page has it. */
export interface PageForm {
  readonly method: 'get' | 'post'
  readonly action: string
  readonly fields: readonly Field[]
  /** What each of its buttons sends. */
  readonly buttons: readonly Entries[]
  /** Where each of them sends it. */
  readonly paths: readonly string[]
  /** Whether files can be chosen, so that it is sent in parts. */
  readonly takesFiles: boolean
}

/** Where a button sends its form. */
export function pathOf({ action, paths }: PageForm, button: number): string {
  return paths[button % Math.max(1, paths.length)] ?? action
}

export function formsOf({ elements }: ReadPage): readonly PageForm[] {
  return elements.filter(({ name }) => name === 'form').map(formOf)
}

function formOf(form: Element): PageForm {
  const { method = 'get', action = '' } = form.attributes
  const inside = descendants(form)
  const buttons = inside.filter(
    ({ name, attributes }) => name === 'button' && attributes['type'] !== 'button',
  )
  return {
    method: method === 'post' ? 'post' : 'get',
    action,
    fields: withChoices(inside.flatMap((element) => fieldOf(element) ?? [])),
    buttons: buttons.map(({ attributes: { name, value = '' } }) =>
      name === undefined ? [] : [[name, value]],
    ),
    paths: buttons.map(({ attributes }) => attributes['formaction'] ?? action),
    takesFiles: form.attributes['enctype'] === 'multipart/form-data',
  }
}

/** The radio buttons of one name are one choice. */
function withChoices(fields: readonly Field[]): readonly Field[] {
  return [...Map.groupBy(fields, ({ name, type }) => (type === 'radio' ? name : Symbol(name))).values()]
    .map((group) => {
      const [first] = group
      if (first?.type !== 'radio') return group
      const value = group.find((each) => each.value !== undefined)?.value
      return [{ ...first, type: 'select', value, options: group.flatMap(({ options }) => options) }]
    })
    .flat()
}

function fieldOf(element: Element): Field | undefined {
  const { name, type: typed = 'text', value = '' } = element.attributes
  if (name === undefined) return undefined
  // An email beside a new password is there for password managers only.
  const type = 'hidden' in element.attributes || 'readonly' in element.attributes ? 'hidden' : typed
  switch (element.name) {
    case 'input': {
      const isBox = type === 'checkbox' || type === 'radio'
      const isSent = !isBox || 'checked' in element.attributes
      if (type === 'file') return { name, type, value: undefined, options: [] }
      const options = isBox ? [value] : []
      return { name, type, value: isSent ? (isBox && value === '' ? 'on' : value) : undefined, options }
    }
    case 'textarea':
      return {
        name,
        type: type === 'hidden' ? type : 'textarea',
        value: element.text.replaceAll(/\r?\n/g, '\r\n'),
        options: [],
      }
    case 'select': {
      const choices = descendants(element).filter((each) => each.name === 'option')
      const options = choices.map(({ attributes, text }) => attributes['value'] ?? text)
      const chosen = choices.findIndex(({ attributes }) => 'selected' in attributes)
      return { name, type: 'select', value: options[Math.max(0, chosen)] ?? '', options }
    }
    default:
      return undefined
  }
}

/** What a browser sends with a form, with the values that somebody entered; `undefined` unticks a box. */
export function entriesOf(
  { fields, buttons }: PageForm,
  button: number,
  entered: ReadonlyMap<string, string | undefined>,
): Entries {
  const sent = fields.flatMap(({ name, value }): Entries => {
    const given = entered.has(name) ? entered.get(name) : value
    return given === undefined ? [] : [[name, given]]
  })
  return [...sent, ...(buttons[button % Math.max(1, buttons.length)] ?? [])]
}

export function encoded(entries: Entries): string {
  return new URLSearchParams(entries.map(([name, value]): [string, string] => [name, value])).toString()
}
