import { keyText, listOf, lockOf, newKey, sealNote } from '@sotto/sealed'
import type { NewSecret } from '../objects.ts'
import { sealFiles, unsealable } from './seal-files.ts'

/**
 * Encrypts what a secret consists of but its title, under a new key.
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
  const content = { text, files: listOf(plain) }
  const note = await sealNote(key, lock, content)
  if (note === undefined) throw unsealable(content)
  const files = await sealFiles(content.files, plain)
  const secret = { ...fields, note, files }
  return {
    secret: lock.password === undefined ? secret : { ...secret, password: lock.password },
    key: keyText(key),
  }
}
