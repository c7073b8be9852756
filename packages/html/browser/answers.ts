import { authOf, isOwnerKey, openAnswer, type Content } from '@sotto/sealed'
import { saveBlob, showFile } from './sealed-files.ts'
import { show } from './states.ts'

// The owner's pages with answers that only the owner decrypts: of a request, of one answer, and the list of requests. The key of each request
// is kept on this device, and nowhere else.

/** The place of a request's key. */
const placeOf = (id: string): string => `sotto.request.${id}`

const keyOf = (id: string): string | undefined => {
  try {
    return localStorage.getItem(placeOf(id)) ?? undefined
  } catch {
    return undefined
  }
}

/** A browser that keeps nothing has it for as long as the page is shown. */
const keep = (id: string, ownerKey: string): void => {
  try {
    localStorage.setItem(placeOf(id), ownerKey)
  } catch {
    // The page goes on with it.
  }
}

/** Shows a text that was decrypted, and has the controls beside it take that one. */
const showText = (part: HTMLElement, { text, files }: Content): void => {
  const note = part.querySelector('#note, [data-note]')
  if (note) note.textContent = text
  for (const each of part.querySelectorAll<HTMLElement>('[data-text]')) each.hidden = text === ''
  for (const each of part.querySelectorAll<HTMLElement>('[data-listed]')) each.hidden = false
  const save = part.querySelector<HTMLAnchorElement>('[data-text] a[href$="/text"]')
  if (save)
    save.onclick = (event) => {
      event.preventDefault()
      saveBlob(new Blob([text]), save.dataset['file'] ?? '')
    }
  const rows = part.querySelectorAll('.files li')
  for (const [at, file] of files.entries()) if (rows[at]) showFile(file, rows[at])
}

/** Decrypts one answer with the key of its request. */
const read = async (part: HTMLElement, ownerKey: string): Promise<boolean> => {
  const { key = '', sealed = '', files } = part.dataset
  const content = await openAnswer({ key, ownerKey }, sealed)
  const isWhole = content !== undefined && (files === undefined || content.files.length === Number(files))
  if (isWhole) showText(part, content)
  else for (const each of part.querySelectorAll<HTMLElement>('[data-undecrypted]')) each.hidden = false
  return isWhole
}

const answers = [...document.querySelectorAll<HTMLElement>('[data-sealed]')]

const readAll = (request: string, ownerKey: string): void => {
  for (const answer of answers) if (answer.dataset['request'] === request) void read(answer, ownerKey)
}

/** Keeps the key of the request that the page is about, shows its whole link, and reads its answers. */
const take = (id: string, ownerKey: string, state: string): void => {
  keep(id, ownerKey)
  for (const url of document.querySelectorAll('[data-url]')) url.append(`#${authOf(ownerKey) ?? ''}`)
  const shown = document.getElementById('owner-key')
  if (shown && state === 'new') shown.textContent = ownerKey
  show(state)
  readAll(id, ownerKey)
}

/** Begins with the key in the address of the page, or the one that is kept. Another request's key must not take its place. */
const begin = async (id: string, key: string): Promise<void> => {
  const { hash, pathname, search } = location
  const given = hash.slice(1)
  if (given) history.replaceState(null, '', pathname + search)
  const isNew = await isOwnerKey({ key, ownerKey: given })
  const known = isNew ? given : keyOf(id)
  if (known === undefined) show('keyless')
  else take(id, known, isNew ? 'new' : 'keyed')
}

const prepare = (panel: HTMLElement): void => {
  const { panel: id = '', key = '' } = panel.dataset
  void begin(id, key)
  panel.querySelector<HTMLElement>('[data-forget]')?.addEventListener('click', () => {
    localStorage.removeItem(placeOf(id))
    location.reload()
  })
  const form = panel.querySelector('form')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    const field = form.querySelector('input')
    const fault = form.querySelector('[role=alert]')
    const ownerKey = field?.value.trim() ?? ''
    void isOwnerKey({ key, ownerKey }).then((isRight) => {
      field?.setAttribute('aria-invalid', String(!isRight))
      if (fault) fault.textContent = isRight ? '' : (form.dataset['wrong'] ?? '')
      if (isRight) take(id, ownerKey, 'keyed')
      else field?.focus()
    })
  })
}

const panel = document.querySelector<HTMLElement>('[data-panel]')
if (!isSecureContext) show('insecure')
else if (panel) prepare(panel)
else
  for (const { dataset } of answers) {
    const { request = '' } = dataset
    const ownerKey = keyOf(request)
    if (ownerKey) readAll(request, ownerKey)
  }
