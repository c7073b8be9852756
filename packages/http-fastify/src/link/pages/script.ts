import { dateTimeFields } from '../texts/localized.ts'

/**
 * Makes a page more convenient. Every page works without it: it sends no requests, stores nothing, and shows only what the page
 * contains already.
 * - Times are written again in the reader's own time zone.
 * - A form is sent once however often it is clicked. A second request would only be asked to confirm another open.
 * - The password can be shown. It is hidden again before it is sent, so that no browser saves it as typed text.
 * - The note is copied from `textContent`, so exactly as it was sent, also without an asynchronous clipboard (plain http).
 */
export const script = compact(`
(() => {
  const one = (id) => document.getElementById(id)
  const say = (text) => { one('status').textContent = text }
  const lang = document.documentElement.lang
  const own = navigator.languages.find((tag) => tag.split('-')[0] === lang) || lang
  try {
    const moments = new Intl.DateTimeFormat(own, ${JSON.stringify(dateTimeFields)})
    for (const time of document.querySelectorAll('time')) time.textContent = moments.format(new Date(time.dateTime))
  } catch {}

  const form = one('form')
  if (form) {
    const button = form.querySelector('button')
    const password = one('password')
    const peek = one('peek')
    const hide = () => { if (peek) { peek.checked = false; password.type = 'password' } }
    if (peek) {
      peek.parentElement.hidden = false
      peek.onchange = () => { password.type = peek.checked ? 'text' : 'password' }
    }
    form.onsubmit = (event) => {
      if (button.hasAttribute('aria-disabled')) return event.preventDefault()
      hide()
      button.setAttribute('aria-disabled', 'true')
      say(form.dataset.busy)
    }
    addEventListener('pageshow', () => { button.removeAttribute('aria-disabled'); say(''); hide() })
  }

  const copy = one('copy')
  if (copy) {
    const text = one('note').textContent
    const viaEvent = () => {
      let done = false
      const fill = (event) => {
        event.preventDefault()
        event.stopImmediatePropagation()
        event.clipboardData.setData('text/plain', text)
        done = true
      }
      document.addEventListener('copy', fill, true)
      document.execCommand('copy')
      document.removeEventListener('copy', fill, true)
      return done
    }
    copy.parentElement.hidden = false
    copy.onclick = async () => {
      let done
      try { await navigator.clipboard.writeText(text); done = true } catch { done = viaEvent() }
      say('')
      setTimeout(() => say(copy.dataset[done ? 'done' : 'failed']), 50)
    }
  }
})()
`)

/** Removes the indentation, which no string in the script needs. */
function compact(javascript: string): string {
  return javascript.replace(/\n\s+/g, '\n').trim()
}
