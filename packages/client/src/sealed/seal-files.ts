import { sealUpload, type Content, type SealedFile } from '@sotto/sealed'
import { SottoError } from '../errors.ts'

/** What is sent of the files of a list. @throws SottoError `file_unreadable` */
export async function sealFiles(
  listed: readonly SealedFile[],
  files: readonly File[],
): Promise<readonly File[]> {
  const sealed: File[] = []
  for (const [at, file] of files.entries()) {
    const each = listed[at]
    if (each !== undefined) sealed.push(await sealedFile(each, file, at + 1))
  }
  return sealed
}

async function sealedFile(listed: SealedFile, file: File, place: number): Promise<File> {
  try {
    return await sealUpload(listed, file, place)
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
