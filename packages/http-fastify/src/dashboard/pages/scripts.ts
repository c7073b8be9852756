/*
 * Parts for the scripts of the owner's pages, to be put together by `pageScript`. They make a page more convenient. Every page works
 * without them: they send no requests and store nothing.
 */

/** Hides the rows of a list that do not contain what is typed, and says so when none is left. */
export const listFilter = `
for (const field of document.querySelectorAll('[data-filter]')) {
  const list = document.getElementById(field.dataset.filter)
  const status = field.parentElement.querySelector('[data-nothing]')
  field.parentElement.hidden = false
  field.oninput = () => {
    const wanted = field.value.trim().toLocaleLowerCase()
    let found = 0
    for (const row of list.children) {
      row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted)
      found += row.hidden ? 0 : 1
    }
    list.hidden = found === 0
    status.textContent = found === 0 ? status.dataset.nothing : ''
  }
}
`

/** Counts the bytes of a note in UTF-8 while it is typed. */
export const byteCounter = `
for (const counter of document.querySelectorAll('[data-count]')) {
  const field = document.getElementById(counter.dataset.count)
  const numbers = new Intl.NumberFormat(document.documentElement.lang)
  const rules = new Intl.PluralRules(document.documentElement.lang)
  const wordings = JSON.parse(counter.dataset.wordings)
  const count = () => {
    const left = counter.dataset.max - new TextEncoder().encode(field.value).length
    const forms = wordings[left < 0 ? 'over' : 'left']
    const amount = Math.abs(left)
    counter.classList.toggle('over', left < 0)
    counter.textContent = (forms[rules.select(amount)] || forms.other).replace('{count}', numbers.format(amount))
  }
  field.addEventListener('input', count)
  count()
}
`

/** Fills in a random password: 20 characters that are not mistaken for one another, 5.8 random bits each. */
export const passwordGenerator = `
for (const button of document.querySelectorAll('[data-generate]')) {
  const field = document.getElementById(button.dataset.generate)
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
  button.hidden = false
  button.onclick = () => {
    let text = ''
    while (text.length < 20) {
      for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
        if (byte < 224 && text.length < 20) text += letters[byte % 56]
      }
    }
    field.value = text
    field.type = 'text'
    const peek = document.querySelector('[data-peek="' + field.id + '"]')
    if (peek) peek.checked = true
    field.select()
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
`

/** Warns before a page is left with text that was not sent. */
export const unsavedText = `
for (const form of document.querySelectorAll('form[data-unsaved]')) {
  let changed = false
  form.addEventListener('input', () => { changed = true })
  form.addEventListener('submit', () => { changed = false })
  addEventListener('beforeunload', (event) => { if (changed) event.preventDefault() })
}
`
