import {
  contentBytes,
  keyText,
  listOf,
  lockOf,
  newKey,
  sealedFileBytes,
  sealNote,
  sealUpload,
} from '@sotto/sealed'
import { show } from './states.ts'

// The form of a new secret. While its box is ticked, what is sent is encrypted first. No field is changed, so what was typed is never lost.

interface Fields extends HTMLFormControlsCollection {
  readonly seal: HTMLInputElement
  readonly note: HTMLTextAreaElement
  readonly password: HTMLInputElement
  /** Absent where no files are taken. */
  readonly files?: HTMLInputElement
}

/** A text, its password, and files. */
type Typed = readonly [text: string, password: string, ...files: readonly File[]]

/** What is sent in place of what was typed, and the key, which is not sent. */
interface Made {
  readonly typed: Typed
  readonly key: string
  readonly note: string
  readonly password: string | undefined
  readonly files: readonly File[]
}

/** A text is a fault, in the words of the server, which cannot see it. */
async function make(
  typed: Typed,
  { max, empty, broken, long }: DOMStringMap,
): Promise<Made | string | undefined> {
  const [text, password, ...plain] = typed
  const listed = listOf(plain)
  const content = { text, files: listed }
  const bytes = contentBytes(content)
  if (!bytes) return text ? broken : empty
  if (bytes.length > Number(max)) return long
  const key = newKey()
  const lock = await lockOf(key, password)
  const note = await sealNote(key, lock, content)
  const files: File[] = []
  for (const [at, file] of listed.entries())
    files.push(await sealUpload(file, plain[at] ?? new Blob(), at + 1))
  return { typed, key: keyText(key), note: note ?? '', password: lock.password, files }
}

/** Shows the box, and gives the form what the script calls that sends it. */
function prepare(part: HTMLElement, form: HTMLFormElement): void {
  const { seal: box, note, password, files } = form.elements as Fields
  const draft = form.querySelector('[aria-describedby=draft-hint]')
  const refusal = document.getElementById('draft-hint')
  const mark = (): void => {
    show(box.checked ? 'sealed' : 'plain')
  }
  part.hidden = false
  box.checked ||= part.dataset['seal'] === 'ticked'
  box.addEventListener('input', mark)
  addEventListener('pageshow', mark)
  mark()

  form.addEventListener('submit', (event) => {
    if (!box.checked || event.submitter !== draft) return
    event.preventDefault()
    event.stopImmediatePropagation()
    show('refused')
    refusal?.scrollIntoView({ block: 'center' })
  })

  const fault = document.getElementById('note-fault')
  const say = (text = ''): void => {
    if (!fault) return
    fault.textContent = text
    fault.hidden = !text
    note.removeAttribute('aria-invalid')
    if (!text) return
    note.setAttribute('aria-invalid', 'true')
    note.setAttribute('aria-describedby', fault.id)
    note.focus()
  }
  note.addEventListener('input', () => {
    if (fault?.hidden === false) say()
  })

  let last: Made | undefined
  /** What is sent, and the fragment of the page that answers; `undefined` when there is a fault. */
  const sealed = async (submitter: HTMLElement) => {
    const typed: Typed = [note.value, password.value, ...(files?.files ?? [])]
    const data = new FormData(form, submitter)
    // What was sent in vain may have arrived: then the same is sent again, under the same key.
    if (last?.typed.length !== typed.length || typed.some((each, at) => each !== last?.typed[at])) {
      const made = await make(typed, part.dataset)
      if (typeof made !== 'object') {
        say(made)
        return undefined
      }
      last = made
    }
    for (const name of ['seal', 'show-files', 'files']) data.delete(name)
    data.set('note', last.note)
    if (last.password) data.set('password', last.password)
    for (const file of last.files) data.append('files', file)
    const body = last.files.length > 0 ? data : new URLSearchParams(data as unknown as Record<string, string>)
    return { body, fragment: `#${last.key}` }
  }
  /** How many bytes of a file are sent. */
  const sentBytes = (size: number): number => (box.checked ? sealedFileBytes(size) : size)
  Object.assign(form, { sealed, sentBytes })
}

const part = document.querySelector<HTMLElement>('[data-seal]')
const form = part?.closest('form')
if (part && form && isSecureContext) prepare(part, form)
