import { randomBytes } from './bytes.ts'
import type { SealedFile } from './content.ts'
import { sealFile } from './records.ts'

/** The files as the list of what is encrypted names them, each with a key of its own. */
export function listOf(files: readonly File[]): readonly SealedFile[] {
  return files.map(({ name, size, type }) => ({ key: randomBytes(16), name, size, type }))
}

/**
 * What is sent of a file: nothing that tells its name or type. It is in memory, as far as the runtime keeps a `Blob` there.
 * @param place in the list, from 1
 */
export async function sealUpload({ key }: SealedFile, file: Blob, place: number): Promise<File> {
  const content = await new Response(sealFile(key, file)).blob()
  return new File([content], `${place}.sealed`, { type: 'application/octet-stream' })
}
