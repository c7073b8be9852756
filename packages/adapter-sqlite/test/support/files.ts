import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredSecret, StoredSecretFile } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { expectOk, noonMicros, type Samples } from '@sotto/test-kit'
import { ok } from 'neverthrow'

/** A file of a secret or draft, and its content. */
export interface AddedFile {
  readonly file: StoredSecretFile
  readonly content: Buffer
}

/** Adds a secret or draft with a file of random bytes. */
export async function addWithFile(
  storage: FullOpenStorage,
  make: Samples,
  secret: StoredSecret,
  length = 1_000_000,
): Promise<AddedFile> {
  const file = make.file(secret)
  const content = randomBytes(length)
  expectOk(await storage.fileContents.append(file.id, piecesOf(content)))
  expectOk(await storage.secrets.insert(secret, make.note(), await reserved(storage, [file], length)))
  return { file, content }
}

/** Has contents under way count for files that are added then. The files. */
export async function reserved(
  { secretFiles }: Pick<FullOpenStorage, 'secretFiles'>,
  files: readonly StoredSecretFile[],
  bytes = 1,
): Promise<readonly StoredSecretFile[]> {
  const untilMicros = noonMicros + 1e9
  for (const { id, accountId, secretId } of files)
    expectOk(
      await secretFiles.reserve(
        { id, accountId, secretId, bytes, aheadBytes: 0, untilMicros, isNew: true },
        { bytesMax: 1e9 },
      ),
    )
  return files
}

export async function* piecesOf(content: Buffer) {
  for (let at = 0; at < content.length; at += 65_552)
    yield await Promise.resolve(ok(content.subarray(at, at + 65_552)))
}

/** The contents in a data directory, by the ids of their files. */
export function contentsIn(dataDir: string): ReadonlyMap<string, Buffer> {
  const directory = join(dataDir, 'files')
  try {
    const prefixes = readdirSync(directory)
    return new Map(
      prefixes.flatMap((prefix) =>
        readdirSync(join(directory, prefix)).map(
          (id) => [id, readFileSync(join(directory, prefix, id))] as const,
        ),
      ),
    )
  } catch {
    return new Map()
  }
}
