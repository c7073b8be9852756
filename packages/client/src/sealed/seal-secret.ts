import { keyText, lockOf, newKey, sealFile, sealNote } from '@sotto/sealed'
import { SottoError } from '../errors.ts'
import type { NewSecret } from '../objects.ts'

/**
 * Encrypts what a secret consists of but its title, under a new key. The sealed files are in memory, as far as the runtime keeps a `Blob` there.
 * @returns what is sent, and the key, which the server must not see
 */
export async function sealSecret({
  note: text = '',
  files: plain = [],
  password,
  ...fields
}: Omit<NewSecret, 'sealed'>): Promise<{ readonly secret: NewSecret; readonly key: string }> {
  const key = newKey()
  const lock = await lockOf(key, password)
  const listed = plain.map(({ name, size, type }) => ({ key: newKey(), name, size, type }))
  const note = await sealNote(key, lock, { text, files: listed })
  if (note === undefined) {
    const errors = {
      note: [text === '' ? 'must not be empty' : 'must not contain NUL or half of a surrogate pair'],
    }
    throw new SottoError('invalid_request', 'Some fields are not valid.', { errors })
  }
  const files: File[] = []
  for (const [at, file] of plain.entries()) {
    const sealed = await sealedBlob(listed[at]?.key ?? newKey(), file)
    files.push(new File([sealed], `${at + 1}.sealed`, { type: 'application/octet-stream' }))
  }
  const secret = { ...fields, note, files }
  return {
    secret: lock.password === undefined ? secret : { ...secret, password: lock.password },
    key: keyText(key),
  }
}

async function sealedBlob(key: ReturnType<typeof newKey>, file: File): Promise<Blob> {
  try {
    return await new Response(sealFile(key, file)).blob()
  } catch (cause) {
    throw new SottoError('file_unreadable', `A file cannot be read, or has changed: ${file.name}.`, { cause })
  }
}
