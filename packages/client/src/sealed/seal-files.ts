import { newKey, sealFile, type Content, type SealedFile } from '@sotto/sealed'
import { SottoError } from '../errors.ts'

/** The files as the list of what is encrypted names them, each with a key of its own. */
export function listOf(files: readonly File[]): readonly SealedFile[] {
  return files.map(({ name, size, type }) => ({ key: newKey(), name, size, type }))
}

/** What is sent of the files of a list: nothing that tells their names or types. They are in memory, as far as the runtime keeps a `Blob` there. */
export async function sealFiles(
  listed: readonly SealedFile[],
  files: readonly File[],
): Promise<readonly File[]> {
  const sealed: File[] = []
  for (const [at, { key }] of listed.entries()) {
    const blob = await sealedBlob(key, files[at] ?? new File([], ''))
    sealed.push(new File([blob], `${at + 1}.sealed`, { type: 'application/octet-stream' }))
  }
  return sealed
}

async function sealedBlob(key: SealedFile['key'], file: File): Promise<Blob> {
  try {
    return await new Response(sealFile(key, file)).blob()
  } catch (cause) {
    throw new SottoError('file_unreadable', `A file cannot be read, or has changed: ${file.name}.`, { cause })
  }
}

/** The error for a content that cannot be encrypted. */
export function unsealable({ text }: Content): SottoError {
  const errors = {
    note: [text === '' ? 'must not be empty' : 'must not contain NUL or half of a surrogate pair'],
  }
  return new SottoError('invalid_request', 'Some fields are not valid.', { errors })
}
