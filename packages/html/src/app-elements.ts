import { markup, trusted, type Html, type HtmlValue } from './html.ts'

/** A field with its label, and what is wrong with it. */
export interface FieldParts {
  /** The field's name in the form. */
  readonly name: string
  /** The field's id in the page; its name by default. */
  readonly id?: string | undefined
  readonly label: HtmlValue
  readonly hint?: string | Html | undefined
  /** What is wrong with what was entered. */
  readonly error?: string | undefined
  /** The first field with an error has the focus when the page is shown. */
  readonly hasFocus?: boolean | undefined
  /** Whether browsers refuse a form in which it is empty. */
  readonly isRequired?: boolean | undefined
}

export interface InputParts extends FieldParts {
  readonly type?: 'text' | 'email' | 'number' | 'url' | undefined
  /** What was entered before. */
  readonly value?: string | undefined
  /** The value of HTML's attribute, such as `username`; `off` by default. */
  readonly autocomplete?: string
  /** More attributes, such as `min="1"`. */
  readonly attributes?: Html | undefined
}

/** A field of one line. */
export function inputField(parts: InputParts): Html {
  const { name, id = name, type = 'text', value = '', autocomplete = 'off', attributes } = parts
  return field(
    parts,
    markup`<input type="${type}" id="${id}" name="${name}" value="${value}" autocomplete="${autocomplete}"${type === 'text' && markup` dir="auto"`}${attributes && markup` ${attributes}`}${attributesOf(parts)}>`,
  )
}

export interface PasswordParts extends FieldParts {
  readonly autocomplete: 'current-password' | 'new-password' | 'off'
  /** The text of the button that shows what is typed. The page's script needs `peeking`; without it there is no button. */
  readonly show: string
  readonly attributes?: Html | undefined
  /** What stands below the field, such as a button that fills it. */
  readonly more?: Html | undefined
}

/** A field for a password. What was typed is never sent back. */
export function passwordField(parts: PasswordParts): Html {
  const { name, id = name, autocomplete, show, attributes, more } = parts
  return field(
    parts,
    markup`<input type="password" id="${id}" name="${name}" autocomplete="${autocomplete}" autocapitalize="none" autocorrect="off" spellcheck="false"${attributes && markup` ${attributes}`}${attributesOf(parts)}>`,
    markup`<div class="beside"><button type="button" class="quiet" data-peek="${id}" aria-pressed="false" hidden>${show}</button>${more}</div>`,
  )
}

/** A field to choose files in, several at once. What was chosen is never sent back. */
export function fileField(parts: FieldParts): Html {
  const { name, id = name } = parts
  return field(parts, markup`<input type="file" id="${id}" name="${name}" multiple${attributesOf(parts)}>`)
}

export interface AreaParts extends FieldParts {
  readonly value?: string | undefined
  readonly rows: number
  /** What stands below the field, such as a counter. */
  readonly more?: Html | undefined
}

/** A field of many lines. */
export function areaField(parts: AreaParts): Html {
  const { name, id = name, value = '', rows, more } = parts
  // The parser drops one line feed after the opening tag.
  const text = markup`${'\n'}${value}`
  return field(
    parts,
    markup`<textarea id="${id}" name="${name}" rows="${rows}" dir="auto" autocomplete="off" translate="no" spellcheck="false"${attributesOf(parts)}>${text}</textarea>`,
    more,
  )
}

/** A thing that a field lets choose. */
export interface Choice {
  readonly value: string
  readonly text: string
  /** The language of the text, where it is not that of the page. */
  readonly language?: string | undefined
}

/** One of them is always chosen: HTML has `required` only for lists whose first choice is none. */
export interface SelectParts extends Omit<FieldParts, 'isRequired'> {
  readonly choices: readonly Choice[]
  readonly chosen?: string | undefined
}

/** A list of which one thing is chosen. */
export function selectField(parts: SelectParts): Html {
  const { name, id = name, choices, chosen } = parts
  const option = ({ value, text, language }: Choice): Html =>
    markup`<option value="${value}"${language && markup` lang="${language}"`}${value === chosen && markup` selected`}>${text}</option>`
  return field(
    parts,
    markup`<select id="${id}" name="${name}"${attributesOf(parts)}>${choices.map(option)}</select>`,
  )
}

/** Controls under one name. A fault of the group is shown at the first of them. */
interface GroupParts extends Pick<FieldParts, 'label' | 'error' | 'hasFocus'> {
  /** What stands below the choices, such as a field that belongs to one of them. */
  readonly more?: Html | undefined
}

export interface ChoicesParts extends GroupParts, Pick<SelectParts, 'name' | 'choices' | 'chosen'> {}

/** One choice of a few that are all seen at the same time. */
export function choicesField(parts: ChoicesParts): Html {
  const { name, choices, chosen } = parts
  const choice = ({ value, text }: Choice, at: number): Html =>
    markup`<label><input type="radio"${at === 0 && markup` id="${name}"`} name="${name}" value="${value}"${value === chosen && markup` checked`}${faultOf(parts, at)}><span>${text}</span></label>`
  return group(parts, name, markup`<div class="segments">${choices.map(choice)}</div>`)
}

export interface ChecksParts extends GroupParts {
  readonly checks: readonly [CheckboxParts, ...CheckboxParts[]]
}

/** Boxes to tick that belong together. */
export function checksField(parts: ChecksParts): Html {
  const { checks } = parts
  return group(
    parts,
    checks[0].name,
    checks.map((check, at) => checkbox(check, faultOf(parts, at))),
  )
}

export interface CheckboxParts {
  readonly name: string
  readonly label: string
  readonly isChecked?: boolean
}

/** A box to tick. The form has the field with the value `on` when it is ticked. */
export function checkbox({ name, label, isChecked = false }: CheckboxParts, attributes?: Html): Html {
  return markup`<label class="choice"><input type="checkbox" id="${name}" name="${name}"${isChecked && markup` checked`}${attributes}>${label}</label>`
}

/** A message about the whole page. Screen readers read an error immediately. */
export function banner(kind: 'success' | 'error' | 'warning', message: HtmlValue): Html {
  return markup`<div class="banner${kind !== 'success' && ` ${kind}`}" role="${kind === 'error' ? 'alert' : 'status'}"><p>${message}</p></div>`
}

const faultyField = /<p class="error" id="([^"]+)-error">([^<]*)</g

/**
 * Names the fields of a page with a fault, and leads to each (GOV.UK Design System, “error summary”). They are read from the markup of the
 * fields above, so that no page leaves one out.
 */
export function errorSummary({ text }: Html, heading: string): Html | undefined {
  // Faster than the pattern, on pages that have no fault.
  if (!text.includes('<p class="error"')) return undefined
  const faults = Array.from(text.matchAll(faultyField), ([, id = '', error = '']) => {
    const [, label = ''] =
      // eslint-disable-next-line sotto/linear-patterns -- the id of a field of ours has letters and hyphens only
      new RegExp(`<(?:label for="${id}"|legend id="${id}-legend")>([^<]*)`).exec(text) ?? []
    return trusted(`<li><a href="#${id}">${label.trim()}</a> ${error}</li>`)
  })
  // A script says its fault in a place that is empty at first.
  if (faults.length === 0) return undefined
  return markup`<div class="banner error" role="alert"><p>${heading}</p><ul>${faults}</ul></div>`
}

/** A short word about the thing that it stands beside. */
export function badge(text: HtmlValue, kind?: 'good' | 'warm' | 'bad'): Html {
  return markup`<span class="badge${kind && ` ${kind}`}">${text}</span>`
}

export interface EmptyParts {
  readonly heading: string
  readonly lead: string
  /** A link or a form that does what the lead says. */
  readonly action?: Html | undefined
}

/** What a list shows when it has no items, and what to do about it. */
export function emptyState({ heading, lead, action }: EmptyParts): Html {
  return markup`<section class="empty"><h2>${heading}</h2><p>${lead}</p>${action}</section>`
}

export interface NavigationItem {
  readonly path: string
  readonly text: HtmlValue
  readonly isCurrent: boolean
}

/** Links to the parts of a page or of a list, one of which is shown. @param kind the class of its look */
export function partNavigation(kind: string, label: string, items: readonly NavigationItem[]): Html {
  const link = ({ path, text, isCurrent }: NavigationItem): Html =>
    markup`<li><a href="${path}"${isCurrent && markup` aria-current="page"`}>${text}</a></li>`
  return markup`<nav class="${kind}" aria-label="${label}"><ul>${items.map(link)}</ul></nav>`
}

/** @param id of the first control */
function group({ label, error, more }: GroupParts, id: string, controls: HtmlValue): Html {
  const isFaulty = error !== undefined
  return markup`<fieldset class="field choices"${isFaulty && markup` aria-describedby="${id}-error"`}><legend${isFaulty && markup` id="${id}-legend"`}>${label}</legend>${controls}${isFaulty && errorText(id, error)}${more}</fieldset>`
}

function faultOf({ error, hasFocus = false }: GroupParts, at: number): Html {
  return markup`${error !== undefined && markup` aria-invalid="true"`}${hasFocus && at === 0 && markup` autofocus`}`
}

function errorText(id: string, error: string): Html {
  return markup`<p class="error" id="${id}-error">${error}</p>`
}

function field({ name, id = name, label, hint, error }: FieldParts, control: Html, more?: Html): Html {
  const said = hint !== undefined && markup`<p class="hint" id="${id}-hint">${hint}</p>`
  return markup`<div class="field"><label for="${id}">${label}</label>${said}${control}${error !== undefined && errorText(id, error)}${more}</div>`
}

function attributesOf(parts: FieldParts): Html {
  const { name, id = name, hint, error, hasFocus = false, isRequired = false } = parts
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(
    (each) => each !== false,
  )
  return markup`${isRequired && markup` required`}${described.length > 0 && markup` aria-describedby="${described.join(' ')}"`}${
    error !== undefined && markup` aria-invalid="true"`
  }${hasFocus && markup` autofocus`}`
}
