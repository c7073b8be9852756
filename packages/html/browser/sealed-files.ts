import { openFile, Undecryptable, type SealedFile } from '@sotto/sealed'
import { sizeText } from '../src/size-text.ts'

// Files whose names, sizes and contents only this browser can decrypt.

/** Shows a file as it was before it was encrypted, and decrypts it when it is saved. */
export function showFile(file: SealedFile, row: Element): void {
  const link = row.querySelector('a')
  const [name, size] = [row.querySelector('bdi'), row.querySelector('small')]
  if (!link || !name || !size) return
  link.download = name.textContent = shownName(file.name)
  size.textContent = sizeText(file.size, document.documentElement.lang)
  link.onclick = (event) => {
    event.preventDefault()
    void save(file, link)
  }
}

/** Nothing of a name can change how the text around it is read, or lead out of a directory. */
const shownName = (name: string): string =>
  name.replace(/[\\/\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]/gu, '\ufffd')

const status = document.querySelector<HTMLElement>('[data-saving]')
let isSaving = false

/** Fetches a file, decrypts it as it arrives, and saves it once all of it was right. */
const save = async ({ key, size }: SealedFile, link: HTMLAnchorElement): Promise<void> => {
  if (isSaving || !status) return
  isSaving = true
  const { saving = '', undecryptable = '', failed = '' } = status.dataset
  status.textContent = saving
  try {
    const { ok, body } = await fetch(link.href)
    if (!ok || !body) throw new Error()
    const pieces: BlobPart[] = []
    const all = new WritableStream<BlobPart>({ write: (piece) => void pieces.push(piece) })
    await body.pipeThrough(openFile(key, size)).pipeTo(all)
    saveBlob(new Blob(pieces, { type: 'application/octet-stream' }), link.download)
    status.textContent = ''
  } catch (error) {
    status.textContent = error instanceof Undecryptable ? undecryptable : failed
  }
  isSaving = false
}

/** Saves what this page has made, as a file of this name. */
export function saveBlob(content: Blob, name: string): void {
  const saved = document.createElement('a')
  saved.download = name
  saved.href = URL.createObjectURL(content)
  saved.click()
  setTimeout(URL.revokeObjectURL, 60_000, saved.href)
}
