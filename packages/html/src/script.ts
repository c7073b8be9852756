/*
 * Parts for the scripts of pages, to be put together by `pageScript`. They make a page more convenient. Every page works without them:
 * they store nothing, show only what the page contains already, and send no requests, `keptTyping` aside.
 */

/**
 * A form is sent once however often its button is pressed: a second request would only be asked to confirm the same again. Its status shows
 * `data-busy` until the answer comes. Beside a download the page stays: after the milliseconds of `data-again` the button works again.
 */
export const sendOnce = `
for (const form of document.querySelectorAll('form')) {
  const { busy } = form.dataset
  let sent = false
  const mark = (on) => {
    sent = on
    for (const button of form.querySelectorAll('button')) button.ariaDisabled = on ? 'true' : null
    if (busy) form.querySelector('[role=status]').textContent = on ? busy : ''
  }
  form.addEventListener('submit', (event) => {
    if (sent) return event.preventDefault()
    mark(true)
    if (form.dataset.again) setTimeout(mark, form.dataset.again, false)
  })
  addEventListener('pageshow', () => mark(false))
}
`

/** Buttons show a password, which is hidden again before it is sent, so that no browser saves it as typed text. */
export const peeking = `
for (const peek of document.querySelectorAll('[data-peek]')) {
  const password = document.getElementById(peek.dataset.peek)
  const show = (on) => {
    password.type = on ? 'text' : 'password'
    peek.ariaPressed = on
  }
  const hide = () => show(false)
  peek.hidden = false
  peek.onclick = () => show(password.type === 'password')
  peek.form.addEventListener('submit', hide)
  addEventListener('pageshow', hide)
}
`

/** Copies a text, also without an asynchronous clipboard (plain http), and says whether it could. */
export const copyText = `
const copyText = async (text) => {
  try { await navigator.clipboard.writeText(text); return true } catch {}
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
`

/** Buttons copy `textContent`, so exactly what was sent, or select what cannot be copied. Each is as wide as the longer of its texts. */
export const copying = `${copyText}
for (const button of document.querySelectorAll('[data-copy]')) {
  const target = document.getElementById(button.dataset.copy)
  const { done, failed } = button.dataset
  const bar = button.parentElement
  const label = button.lastChild
  const name = label.textContent
  bar.hidden = false
  for (const words of [done, name]) {
    label.textContent = words
    button.style.minWidth = button.offsetWidth + 1 + 'px'
  }
  if (button.classList.contains('first')) button.focus()
  let timer
  button.onclick = async () => {
    const isDone = await copyText(target.textContent)
    if (!isDone) getSelection().selectAllChildren(target)
    const status = bar.querySelector('[role=status]')
    status.textContent = ''
    clearTimeout(timer)
    label.textContent = isDone ? done : name
    timer = setTimeout(() => { label.textContent = name }, 3000)
    status.className = isDone ? 'status heard' : 'status'
    setTimeout(() => { status.textContent = isDone ? done : failed }, 50)
  }
}
`

/** Buttons open what the device has for sharing, where there is something. */
export const sharing = `
for (const button of document.querySelectorAll('[data-share]')) {
  if (!navigator.share) continue
  button.hidden = false
  button.onclick = () => navigator.share({ url: document.getElementById(button.dataset.share).textContent }).catch(() => {})
}
`

/** Buttons save `textContent` in a file, which takes no request. */
export const saving = `
for (const button of document.querySelectorAll('[data-save]')) {
  button.hidden = false
  button.onclick = () => {
    const link = document.createElement('a')
    link.download = button.dataset.file
    link.href = URL.createObjectURL(new Blob([document.getElementById(button.dataset.save).textContent]))
    link.click()
    URL.revokeObjectURL(link.href)
  }
}
`

/**
 * Another language keeps what was typed, except for passwords and files. The page in that language is fetched and written in place of this one,
 * and its fields are filled from memory: nothing that was typed is sent, and nothing is stored. Storage, a state of the history, and the body of a
 * form that is posted again would all be on the disk of whoever types, because browsers keep them to restore sessions. Where the new page lacks a
 * field that has something, this one stays. The page's policy has to let it fetch from its own origin (`sends`).
 */
export const keptTyping = `
const typedFields = () => [...document.querySelectorAll('main :is(input, textarea, select)[name]:not([type=password], [type=file])')]
const change = async (url, options) => {
  const kept = typedFields().map(({ name, type, value, checked }) => ({ name, type, value, checked }))
  let page = ''
  try {
    const answer = await fetch(url, options)
    if (answer.ok && new URL(answer.url).pathname === location.pathname) page = await answer.text()
  } catch {}
  if (!page || kept.some(({ name, value }) => value && !page.includes(' name="' + name + '"'))) return dispatchEvent(new Event('pageshow'))
  document.open()
  document.write(page)
  document.close()
  const fresh = typedFields()
  for (const { name, type, value, checked } of kept) {
    const field = fresh.find((each) => each.name === name && (type !== 'radio' || each.value === value))
    if (!field) continue
    field.value = value
    field.checked = checked
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  if (!options) history.replaceState(null, '', url)
  document.querySelector('.languages [aria-current]').focus()
}
for (const choice of document.querySelectorAll('.languages')) {
  choice.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    change(choice.action, { method: 'POST', body: new URLSearchParams({ language: event.submitter.value }) })
  })
  choice.addEventListener('click', (event) => {
    const { href } = event.target
    if (!href || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    change(href)
  })
}
`

/** The tab of the page is scrolled into a line that has no room for all tabs, and so is the one with the focus: browsers leave half of it out. */
export const shownTab = `
for (const line of document.querySelectorAll('.tabs ul')) {
  const show = (tab) => {
    const [at, all] = [tab, line].map((each) => each.getBoundingClientRect())
    line.scrollLeft += (at.left + at.right - all.left - all.right) / 2
  }
  line.querySelectorAll('[aria-current]').forEach(show)
  line.addEventListener('focusin', ({ target }) => show(target))
}
`

/** What a refused form says about a field that came back empty is gone once the field is filled: below the field, and above the form. */
export const staleFaults = `
addEventListener('input', ({ target: field }) => {
  if (!field.value || field.defaultValue || !field.matches('[aria-invalid]')) return
  field.removeAttribute('aria-invalid')
  document.getElementById(field.id + '-error')?.remove()
  const link = document.querySelector('[role=alert] a[href="#' + field.id + '"]')
  const alert = link?.closest('[role=alert]')
  ;(link?.closest('li') || alert)?.remove()
  if (alert && !alert.querySelector('li')) alert.remove()
})
`
