import { suggestedPasswordRandomBytes } from '@sotto/core'
import { copyText, pageScript, suggestedPasswordFunction, type Embedded, type Html } from '@sotto/html'
import type { LocalizedDashboard } from './localized.ts'

/** What the script of a page has to do for elements of a capability. */
export interface ElementScript {
  /** The attribute of these elements, with a value. */
  readonly attribute: string
  readonly parts: readonly string[]
}

const made = new Map<string, Embedded>()

/** The script of a page: what the elements in its main part need, and then its own parts. */
export function scriptOf(
  { elementScripts = [] }: LocalizedDashboard,
  main: Html,
  own: readonly string[],
): Embedded {
  const needed = elementScripts.filter(({ attribute }) => main.text.includes(` ${attribute}="`))
  const parts = [...new Set([...needed.flatMap(({ parts }) => parts), ...own])]
  const key = parts.join()
  const script = made.get(key) ?? pageScript(...parts)
  made.set(key, script)
  return script
}

/*
 * Parts for the scripts of the owner's pages, to be put together by `pageScript`. They make a page more convenient. Every page works
 * without them: they send no requests and store nothing.
 */

/**
 * Rows of a list get a button that copies their link, and says so for three seconds. A link that cannot be copied is shown and selected. One
 * button is measured for all, because the page is laid out anew for each that is.
 */
export const linkCopying = `${copyText}
let copyWidth
for (const row of document.querySelectorAll('[data-link]')) {
  const { links, name, done, failed } = row.parentElement.dataset
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  row.append(button)
  copyWidth ??= Math.max(...[done, name].map((text) => {
    button.textContent = text
    return button.offsetWidth
  })) + 1 + 'px'
  button.textContent = name
  button.style.minWidth = copyWidth
  button.onclick = async () => {
    const link = links + row.dataset.link
    if (!await copyText(link)) {
      const shown = document.createElement('p')
      const code = document.createElement('code')
      shown.role = 'alert'
      code.textContent = link
      shown.append(failed, ' ', code)
      button.replaceWith(shown)
      return getSelection().selectAllChildren(code)
    }
    button.textContent = done
    setTimeout(() => { button.textContent = name }, 3000)
  }
}
`

/** Counts the bytes of a note in UTF-8 while it is typed, and shows them once four fifths of those that a note may have are used. */
export const byteCounter = `
for (const counter of document.querySelectorAll('[data-count]')) {
  const field = document.getElementById(counter.dataset.count)
  const numbers = new Intl.NumberFormat(document.documentElement.lang)
  const rules = new Intl.PluralRules(document.documentElement.lang)
  const count = () => {
    const { dataset } = counter
    const left = dataset.max - new TextEncoder().encode(field.value).length
    const side = left < 0 ? 'over' : 'left'
    const amount = Math.abs(left)
    counter.hidden = left > dataset.max / 5
    counter.classList.toggle('over', left < 0)
    counter.textContent = (dataset[side + rules.select(amount)] || dataset[side + 'other']).replace('{count}', numbers.format(amount))
  }
  field.addEventListener('input', count)
  count()
}
`

/**
 * Suggests the core's passwords, which can be dictated: fills the field, shows it and copies it. Asks once, beside the field, before one is sent
 * that was not copied. To be put after `copyText`.
 */
export const passwordGenerator = `
${suggestedPasswordFunction}
const newPassword = () => suggestedPassword(crypto.getRandomValues(new Uint8Array(${suggestedPasswordRandomBytes})))
const fill = (field, text) => {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
for (const button of document.querySelectorAll('[data-insert]')) {
  const field = document.getElementById(button.dataset.insert)
  button.hidden = false
  button.onclick = () => { field.focus(); fill(field, newPassword()) }
}
for (const button of document.querySelectorAll('[data-suggest]')) {
  const field = document.getElementById(button.dataset.suggest)
  const status = button.nextElementSibling
  const { done, warning } = button.dataset
  const say = (text, kind) => {
    status.className = kind
    status.textContent = text
  }
  let uncopied
  const show = () => {
    field.type = 'text'
    document.querySelector('[data-peek="' + field.id + '"]').setAttribute('aria-pressed', true)
  }
  const copied = () => {
    uncopied = ''
    setTimeout(say, 50, done, 'status')
  }
  button.hidden = false
  button.onclick = async () => {
    field.value = ''
    show()
    fill(field, newPassword())
    const text = uncopied = field.value
    if (await copyText(text) && field.value === text) copied()
  }
  field.addEventListener('input', () => say('', 'status'))
  field.addEventListener('copy', () => uncopied && copied())
  field.form.addEventListener('submit', (event) => {
    if (!uncopied || field.value !== uncopied) return
    uncopied = ''
    event.preventDefault()
    event.stopImmediatePropagation()
    say(warning, 'error')
    show()
    field.focus({ preventScroll: true })
    field.select()
    field.scrollIntoView({ block: 'center' })
  })
}
`

/** Ctrl or Command with Enter sends a form, as its first button does. */
export const sendShortcut = `
for (const form of document.querySelectorAll('form[data-shortcut]')) {
  form.querySelector('kbd').hidden = false
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.querySelector('.send button').click()
  })
}
`

/** Warns before a page is left with text that was not sent. */
export const unsavedText = `
for (const form of document.querySelectorAll('form[data-unsaved]')) {
  let changed = false
  form.addEventListener('input', () => { changed = true })
  form.addEventListener('submit', (event) => { if (!event.defaultPrevented) changed = false })
  addEventListener('beforeunload', (event) => { if (changed) event.preventDefault() })
}
`
