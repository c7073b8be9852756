import type { NewFiles, Upload, Uuid } from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import { ok } from 'neverthrow'

/** Files with short and long names, in both writing directions, by their names. */
const files: Readonly<Record<string, number>> = {
  'contract, final & signed.pdf': 482_113,
  'صورة جواز السفر 2.png': 3_200,
  [`${'a_name_without_any_spaces_'.repeat(6)}.tar.gz`]: 12,
}

/** Files for a new secret or draft. */
export async function uploadFiles(sotto: Pick<FullSotto, 'uploadFiles'>, accountId: Uuid): Promise<Upload> {
  return expectOk(await sotto.uploadFiles({ accountId, files: newFiles() }))
}

async function* newFiles(): NewFiles {
  for (const [name, size] of Object.entries(files))
    yield await Promise.resolve(ok({ name, content: contentOf(size) }))
}

async function* contentOf(size: number) {
  yield await Promise.resolve(ok(Buffer.alloc(size, 'x')))
}

export interface ChosenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Files that a page chooses. */
export const chosenFiles: readonly [ChosenFile, ChosenFile] = [
  { name: 'photo of a passport.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(3_000_000, 'p') },
  { name: 'ملاحظات.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
]
