import { markup, type Html, type HtmlValue } from './html.ts'

/** A field with its label, and what is wrong with it. */
export interface FieldParts {
  /** Its name in the form. */
  readonly name: string
  /** Its id in the page; its name by default. */
  readonly id?: string | undefined
  readonly label: HtmlValue
  readonly hint?: string | Html | undefined
  /** What is wrong with what was entered. */
  readonly error?: string | undefined
  /** The first field with an error has the focus when the page is shown. */
  readonly hasFocus?: boolean | undefined
  readonly isRequired?: boolean | undefined
}

export interface InputParts extends FieldParts {
  readonly type?: 'text' | 'email' | 'number' | 'url' | undefined
  /** What was entered before. */
  readonly value?: string | undefined
  /** As in HTML, such as `username`; `off` by default. */
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
  /** The text of the button that shows what is typed. The page's script needs `sendOnce`; without it there is no button. */
  readonly show: string
  readonly attributes?: Html | undefined
  /** Below the field, such as a button that fills it. */
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

export interface AreaParts extends FieldParts {
  readonly value?: string | undefined
  readonly rows: number
  /** Below the field, such as a counter. */
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

export interface Choice {
  readonly value: string
  readonly text: string
  /** The language of the text, where it is not that of the page. */
  readonly language?: string | undefined
}

export interface SelectParts extends FieldParts {
  readonly choices: readonly Choice[]
  readonly chosen?: string | undefined
}

export function selectField(parts: SelectParts): Html {
  const { name, id = name, choices, chosen } = parts
  const option = ({ value, text, language }: Choice): Html =>
    markup`<option value="${value}"${language && markup` lang="${language}"`}${value === chosen && markup` selected`}>${text}</option>`
  return field(
    parts,
    markup`<select id="${id}" name="${name}"${attributesOf(parts)}>${choices.map(option)}</select>`,
  )
}

export interface ChoicesParts extends Pick<SelectParts, 'name' | 'label' | 'error' | 'choices' | 'chosen'> {
  /** Below the choices, such as a field that belongs to one of them. */
  readonly more?: Html | undefined
}

/** One choice of a few that are all seen at the same time. */
export function choicesField({ name, label, error, choices, chosen, more }: ChoicesParts): Html {
  const choice = ({ value, text }: Choice): Html =>
    markup`<label><input type="radio" name="${name}" value="${value}"${value === chosen && markup` checked`}${error !== undefined && markup` aria-invalid="true"`}><span>${text}</span></label>`
  return markup`<fieldset class="field choices"${error !== undefined && markup` aria-describedby="${name}-error"`}>
    <legend>${label}</legend>
    <div class="segments">${choices.map(choice)}</div>
    ${error !== undefined && markup`<p class="error" id="${name}-error">${error}</p>`}
    ${more}
  </fieldset>`
}

export interface CheckboxParts {
  readonly name: string
  readonly label: string
  readonly isChecked?: boolean
}

/** A box to tick. The form has the field with the value `on` when it is ticked. */
export function checkbox({ name, label, isChecked = false }: CheckboxParts): Html {
  return markup`<label class="choice"><input type="checkbox" id="${name}" name="${name}"${isChecked && markup` checked`}>${label}</label>`
}

/** A message about the whole page. Screen readers read an error immediately. */
export function banner(kind: 'success' | 'error' | 'warning', message: HtmlValue): Html {
  return markup`<div class="banner ${kind}" role="${kind === 'error' ? 'alert' : 'status'}"><p>${message}</p></div>`
}

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

function field({ name, id = name, label, hint, error }: FieldParts, control: Html, more?: Html): Html {
  return markup`<div class="field">
    <label for="${id}">${label}</label>
    ${hint !== undefined && markup`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${control}
    ${error !== undefined && markup`<p class="error" id="${id}-error">${error}</p>`}
    ${more}
  </div>`
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
