import {
  contentBytes,
  keyText,
  listOf,
  readKey,
  sealAnswer,
  sealedFileBytes,
  sealUpload,
  type Bytes,
} from '@sotto/sealed'
import { show } from './states.ts'

// The page of a request whose answers only its owner decrypts. To who has the whole link it shows the form, and encrypts what is sent. The page
// stays until all of it was taken, and with it what was typed.

const form = document.querySelector<HTMLFormElement>('form[data-key]')

/** The links to this page in other languages. */
const links = [...document.links].filter(({ pathname, hash }) => pathname === location.pathname && !hash)

let auth: Bytes | undefined

const look = (): void => {
  auth = readKey(location.hash.slice(1))
  for (const link of links) link.hash = location.hash
  show(auth ? (isSecureContext ? 'ready' : 'insecure') : 'incomplete')
}
addEventListener('hashchange', look)
look()

/** What is sent; a text for a fault, which nobody but this script can see. */
const seal = async (form: HTMLFormElement, auth: Bytes): Promise<BodyInit | string> => {
  const data = new FormData(form)
  const files = data.getAll('files').filter((file): file is File => file instanceof File && file.name !== '')
  const { key = '', empty = '', broken = '', long = '', many = '', large = '', max, fileMax } = form.dataset
  const listed = listOf(files)
  const text = form.querySelector('textarea')?.value ?? ''
  const content = { text, files: listed }
  const bytes = contentBytes(content)
  if (!bytes) return text ? broken : empty
  if (bytes.length > Number(max)) return long
  if (files.length > 10) return many
  if (files.some(({ size }) => sealedFileBytes(size) > Number(fileMax))) return large
  data.delete('files')
  data.set('note', (await sealAnswer({ key, auth: keyText(auth) }, content)) ?? '')
  for (const [at, file] of listed.entries())
    data.append('files', await sealUpload(file, files[at] ?? new Blob(), at + 1))
  return files.length > 0 ? data : new URLSearchParams(data as unknown as Record<string, string>)
}

const alert = document.createElement('p')
alert.className = 'alert'
alert.role = 'alert'

const say = (form: HTMLFormElement, text: string): void => {
  for (const old of document.querySelectorAll('main .alert:not([data-when])')) old.remove()
  alert.textContent = text
  form.before(alert)
  alert.scrollIntoView({ block: 'center' })
  // The button works again.
  dispatchEvent(new Event('pageshow'))
}

/** Sends the answer. What comes back is put in place of the form when it was taken, and above it when it was not. */
const send = async (form: HTMLFormElement, auth: Bytes): Promise<void> => {
  const body = await seal(form, auth)
  if (typeof body === 'string') {
    say(form, body)
    return
  }
  const answer = await fetch(location.pathname + location.search, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body,
  })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const main = page.querySelector('main')
  if (answer.status === 201 && main) {
    history.replaceState(null, '', location.pathname + location.search)
    document.title = page.title
    document.querySelector('main')?.replaceWith(main)
    scrollTo(0, 0)
    return
  }
  const said = page.querySelector('[role=alert]:not([data-when])') ?? main
  const texts = [...(said === main ? (main?.querySelectorAll('h1, .lead') ?? []) : [said])]
  say(form, texts.map((each) => each?.textContent).join('. ') || (form.dataset['lost'] ?? ''))
}

form?.addEventListener('submit', (event) => {
  // A second press is refused already.
  if (event.defaultPrevented || !auth) return
  event.preventDefault()
  send(form, auth).catch(() => say(form, form.dataset['lost'] ?? ''))
})
