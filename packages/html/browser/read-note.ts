import { openNote, readKey, type SealedFile } from '@sotto/sealed'
import { show } from './states.ts'

const note = document.getElementById('note') ?? document.body

/** The key, and behind it what it makes with a password. They leave the address at once. */
const [, keyPart = '', secretPart = keyPart] = /^#([\w-]{22})(?:~([\w-]{22}))?$/.exec(location.hash) ?? []
history.replaceState(null, '', location.pathname + location.search)

/** Decrypts what the server could not read, and shows it as text. @returns its files; `undefined` when it cannot be decrypted, or has not so many */
export async function readNote(fileCount: number): Promise<readonly SealedFile[] | undefined> {
  const secret = readKey(secretPart)
  const content = secret && (await openNote({ secret, password: undefined }, note.textContent))
  if (content?.files.length !== fileCount) {
    show('undecryptable')
    return undefined
  }
  note.textContent = content.text
  show(content.text ? 'text' : 'files')
  return content.files
}
