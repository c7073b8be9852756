import { openFile, Undecryptable, type SealedFile } from '@sotto/sealed'
import { sizeText } from '../src/size-text.ts'
import { readNote } from './read-note.ts'

// The page of an opened sealed secret with files: shows them as they were, and decrypts those that are saved.

const showFile = (file: SealedFile, row: Element): void => {
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
    const saved = document.createElement('a')
    saved.download = link.download
    saved.href = URL.createObjectURL(new Blob(pieces, { type: 'application/octet-stream' }))
    saved.click()
    setTimeout(URL.revokeObjectURL, 60_000, saved.href)
    status.textContent = ''
  } catch (error) {
    status.textContent = error instanceof Undecryptable ? undecryptable : failed
  }
  isSaving = false
}

const rows = [...document.querySelectorAll('.files li')]
void readNote(rows.length).then((files) => {
  for (const [at, file] of files?.entries() ?? []) {
    const row = rows[at]
    if (row) showFile(file, row)
  }
})
