import { momentFields } from '../texts/voice.ts'

/**
 * What makes a page more convenient where scripts run. Every page works without it: it asks the server nothing, keeps nothing, and
 * what it shows stands in the page already.
 * - Moments are written again in the reader's own time zone.
 * - A form is sent once however often it is clicked: a second sending would only be asked to confirm another open.
 * - The password can be shown, and is hidden again before it is sent, so that no browser keeps it among typed texts.
 * - The note is copied from `textContent`, so exactly as it was sent, also where there is no asynchronous clipboard (plain http).
 */
export const script = compact(`
(() => {
  const one = (id) => document.getElementById(id)
  const say = (text) => { one('status').textContent = text }
  const lang = document.documentElement.lang
  const own = navigator.languages.find((tag) => tag.split('-')[0] === lang) || lang
  try {
    const moments = new Intl.DateTimeFormat(own, ${JSON.stringify(momentFields)})
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

/** Leaves out the indentation, which no string in the script needs. */
function compact(javascript: string): string {
  return javascript.replace(/\n\s+/g, '\n').trim()
}
