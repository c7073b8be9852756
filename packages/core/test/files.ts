import { expectOk } from '@sotto/test-kit'
import { err, ok, type Result } from 'neverthrow'
import type { Upload } from '../src/files/secret-file.ts'
import type { AddedFiles } from '../src/files/shapes.ts'
import type { UploadBroken } from '../src/files/errors.ts'
import type { Pieces } from '../src/files/file-cipher.ts'
import type { NewFile, NewFiles, uploadFiles } from '../src/files/upload-files.ts'
import { newSecret, type World } from './world.ts'

/** What each file of a test counts: 4,096 bytes and what the cipher adds to them. */
export const counted = 4_128

/** What a draft without files has. */
export const noFiles = { files: [], showsFiles: false, sealedFiles: undefined }

/** Texts as pieces that arrive one after the other. */
export async function* pieces(...texts: readonly string[]): AsyncGenerator<Result<Uint8Array, never>, void> {
  for (const text of texts) yield await Promise.resolve(ok(Buffer.from(text)))
}

/** A piece, then the end of whoever sent it. */
export async function* brokenPieces(): AsyncGenerator<Result<Uint8Array, UploadBroken>, void> {
  yield* pieces('abc')
  yield await Promise.resolve(err({ code: 'upload_broken' }))
}

/** Files as they arrive, each with its text. */
export async function* arriving(
  ...files: readonly (Omit<NewFile, 'content'> & {
    readonly text?: string
    readonly content?: Pieces<UploadBroken>
  })[]
): NewFiles {
  for (const { text = 'abc', content = pieces(text), ...file } of files)
    yield await Promise.resolve(ok({ content, ...file }))
}

/** Uploads files with these names for a new secret or draft, each with its name as its content. */
export async function uploaded(
  { sotto, accountId }: Pick<World, 'sotto' | 'accountId'>,
  names: readonly string[],
  options: Omit<Partial<Parameters<typeof uploadFiles>[1]>, 'files'> = {},
): Promise<Upload> {
  const files = arriving(...names.map((name) => ({ name, type: 'text/plain', text: name })))
  return expectOk(await sotto.uploadFiles({ accountId, ...options, files }))
}

/** Shares a secret with such files. */
export async function shareFiles(
  world: World,
  names: readonly string[],
  { showsFiles, ...fields }: Parameters<typeof newSecret>[1] & Pick<AddedFiles, 'showsFiles'> = {},
) {
  const upload = await uploaded(world, names)
  return expectOk(await world.sotto.createSecret({ ...newSecret(world, fields), upload, showsFiles }))
}

/** Saves a draft with such files. */
export async function saveFiles(
  world: World,
  names: readonly string[],
  fields: Parameters<typeof newSecret>[1] = {},
) {
  const upload = await uploaded(world, names)
  return expectOk(await world.sotto.saveDraft({ ...newSecret(world, fields), upload }))
}

/** All pieces as a text; throws when they end with an error. */
export async function textOf(content: Pieces<unknown>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of content) all.push(expectOk(piece))
  return Buffer.concat(all).toString()
}

/** The last error of pieces that end with one. */
export async function errorOf<E>(content: Pieces<E>): Promise<E | undefined> {
  for await (const piece of content) if (piece.isErr()) return piece.error
  return undefined
}

/** The ids of all contents that are stored. */
export function contentsOf({ deps }: World): readonly string[] {
  return [...deps.data.fileContents.keys()].toSorted()
}
