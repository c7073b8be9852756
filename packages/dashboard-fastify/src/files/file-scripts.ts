import { countedMinBytes, wrongInFileName } from '@sotto/core'
import { sizeTextFunction } from '@sotto/html'

/*
 * Parts for the script of a page that takes files, to be put together by `pageScript`. The page works without them: then its form has the files
 * that were chosen last, and the browser sends them.
 */

/** What both of the following need. */
export const sizeWords = `
${sizeTextFunction}
const filled = (text, values) => text.replace(/\\{(\\w+)\\}/g, (_, name) => values[name])
const sizeOf = (bytes) => sizeText(bytes, document.documentElement.lang)
`

/** Files are added by choosing or dropping, one time after the other, listed, and removed again. Limits are looked at before anything is sent. */
export const fileChoice = `
const wrongInName = ${String(wrongInFileName)}g
for (const box of document.querySelectorAll('[data-files]')) {
  const { maxBytes, leftBytes, filesMax, ...words } = box.dataset
  const input = box.querySelector('[type=file]')
  const list = box.querySelector('[data-chosen]')
  const problem = box.querySelector('[data-problem]')
  let chosen = []
  const rowOf = (file, at) => {
    const row = document.createElement('li')
    const text = document.createElement('span')
    const name = document.createElement('bdi')
    const size = document.createElement('small')
    const button = document.createElement('button')
    name.textContent = file.name
    name.translate = false
    size.textContent = sizeOf(file.size)
    text.append(name, ' ', size)
    button.type = 'button'
    button.className = 'quiet'
    button.textContent = words.remove
    button.setAttribute('aria-label', words.remove + ' ' + file.name)
    button.onclick = () => {
      chosen.splice(at, 1)
      problem.textContent = ''
      show()
      input.focus()
    }
    row.append(text, button)
    return row
  }
  const show = () => {
    const data = new DataTransfer()
    for (const file of chosen) data.items.add(file)
    input.files = data.files
    list.replaceChildren(...chosen.map(rowOf))
    list.hidden = chosen.length === 0
  }
  const sent = ({ size }) => input.form.sentBytes?.(size) ?? size
  const counted = (file) => Math.max(sent(file), ${countedMinBytes})
  const faultOf = (file) => {
    const kept = box.querySelectorAll('[name^=remove-]:not(:checked)').length
    const left = chosen.reduce((rest, each) => rest - counted(each), leftBytes)
    const name = file.name.replace(wrongInName, '\\uFFFD')
    if (name !== file.name) return filled(words.wrongName, { name })
    if (sent(file) > maxBytes) return filled(words.tooLargeNamed, { name: file.name, limit: sizeOf(maxBytes) })
    if (counted(file) > left) return filled(words.tooLargeTogether, { name: file.name, left: sizeOf(Math.max(left, 0)) })
    return kept + chosen.length >= filesMax && words.tooMany
  }
  const isChosen = (file) => chosen.some((each) => ['name', 'size', 'lastModified'].every((key) => each[key] === file[key]))
  const add = (files, faults = []) => {
    for (const file of files) {
      if (isChosen(file)) continue
      const fault = faultOf(file)
      if (!fault) chosen.push(file)
      else if (!faults.includes(fault)) faults.push(fault)
    }
    problem.textContent = faults.join(' ')
    show()
  }
  input.addEventListener('change', () => add([...input.files]))
  input.form.elements.seal?.addEventListener('input', () => add(chosen.splice(0)))
  box.querySelector('.dropping').hidden = false
  const hasFiles = ({ dataTransfer }) => dataTransfer.types.includes('Files')
  const mark = (on) => box.classList.toggle('over', on)
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    mark(true)
  })
  addEventListener('dragleave', (event) => event.relatedTarget || mark(false))
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    mark(false)
    const files = []
    const faults = []
    for (const item of event.dataTransfer.items) {
      const entry = item.webkitGetAsEntry()
      if (entry?.isDirectory) faults.push(filled(words.folder, entry))
      else if (item.kind === 'file') files.push(item.getAsFile())
    }
    add(files, faults)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
`

/**
 * A form with files, or one that is encrypted in the browser, is sent by the script, which shows how far it is. When it is refused, the reason is
 * shown above the form, and everything stays as it was entered, the files too: `kept` in the address says so to the server. To be put after
 * `sendOnce` and `unsavedText`, whose marks it takes back.
 */
export const formSending = `
for (const bar of document.querySelectorAll('.send progress')) {
  const { form } = bar.closest('.send').querySelector('button')
  const { files, seal } = form.elements
  const words = bar.dataset
  const status = form.querySelector('.send [role=status]')
  let isSending = false
  addEventListener('beforeunload', (event) => { if (isSending) event.preventDefault() })
  addEventListener('pageshow', () => {
    bar.hidden = true
    bar.removeAttribute('value')
    status.textContent = bar.title = bar.nextElementSibling.textContent = ''
  })
  const stop = () => {
    isSending = false
    dispatchEvent(new Event('pageshow'))
    form.dispatchEvent(new Event('input'))
  }
  const refuse = (nodes) => {
    stop()
    for (const old of document.querySelectorAll('main .banner')) old.remove()
    const banner = document.createElement('div')
    banner.className = 'banner error'
    banner.setAttribute('role', 'alert')
    banner.tabIndex = -1
    banner.append(...nodes)
    form.before(banner)
    banner.focus()
  }
  const say = (text) => {
    const line = document.createElement('p')
    line.textContent = text
    refuse([line])
  }
  const answered = (answer) => {
    const page = new DOMParser().parseFromString(answer.responseText, 'text/html')
    for (const fresh of page.querySelectorAll('main form [type=hidden]')) {
      const known = form.elements[fresh.name]
      if (known) known.value = fresh.value
    }
    const banner = page.querySelector('main > .banner.error')
    const reasons = banner ? banner.childNodes : page.querySelectorAll('main > .lead, main > p:has([target])')
    if (reasons.length) refuse(reasons)
    else say(answer.status === 413 && words.refusedOnTheWay || words.lost)
  }
  const whyUnsent = async () => {
    for (const file of files?.files || [])
      try {
        await file.slice(0, 1).arrayBuffer()
      } catch {
        return filled(words.unsendable, file)
      }
    return words.lost
  }
  form.addEventListener('submit', async (event) => {
    const hasFiles = files && files.files.length > 0
    const { submitter } = event
    if (event.defaultPrevented || !(hasFiles || seal?.checked)) return
    event.preventDefault()
    if (!form.reportValidity()) return stop()
    isSending = true
    let sent = { body: new FormData(form), fragment: '' }
    if (seal?.checked) {
      status.textContent = words.encrypting
      try { sent = await form.sealed(submitter) } catch { return say(await whyUnsent()) }
      if (!sent) return stop()
    }
    const address = submitter.getAttribute('formaction') || form.getAttribute('action')
    const request = new XMLHttpRequest()
    request.open('POST', address + (address.includes('?') ? '&' : '?') + 'kept=')
    request.upload.onprogress = ({ loaded, total }) => {
      bar.max = total
      bar.value = loaded
      bar.title = filled(words.sent, { sent: sizeOf(loaded), all: sizeOf(total) })
      bar.nextElementSibling.textContent = bar.title
    }
    request.upload.onload = () => bar.removeAttribute('value')
    request.onload = () => {
      if (request.responseURL.includes(address)) return answered(request)
      isSending = false
      location = request.responseURL + sent.fragment
    }
    request.onerror = async () => say(await whyUnsent())
    bar.hidden = !hasFiles
    if (hasFiles) status.textContent = words.sending
    request.send(sent.body)
  })
}
`
