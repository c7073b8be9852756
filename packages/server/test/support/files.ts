import type { NewFiles, NewSecret, OpenedSecret, ShareableSecret, Upload } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import type { Installation } from '../../src/installation/installation.ts'
import type { Owner } from './installation.ts'

/** A file that a test sends. */
export interface SentFile {
  readonly name: string
  readonly type?: string
  readonly content: Uint8Array
}

/** Stores the contents of files for a new secret or draft. */
export async function upload(
  { sotto }: Pick<Installation, 'sotto'>,
  { accountId }: Pick<Owner, 'accountId'>,
  files: readonly SentFile[],
): Promise<Upload> {
  return expectOk(await sotto.uploadFiles({ accountId, files: arriving(files) }), 'an upload')
}

async function* arriving(files: readonly SentFile[]): NewFiles {
  for (const { content, ...file } of files)
    yield await Promise.resolve(ok({ ...file, content: piecesOf(content) }))
}

async function* piecesOf(content: Uint8Array) {
  for (let at = 0; at < content.length; at += 50_000)
    yield await Promise.resolve(ok(content.subarray(at, at + 50_000)))
}

/** Adds a shareable secret with files to the owner's folder. */
export async function addSecretWithFiles(
  installation: Pick<Installation, 'sotto'>,
  owner: Owner,
  files: readonly SentFile[],
  fields: Partial<NewSecret> = {},
): Promise<ShareableSecret> {
  const input = {
    label: 'a label',
    note: 'a note',
    ...fields,
    upload: await upload(installation, owner, files),
  }
  return expectOk(
    await installation.sotto.createSecret({ ...input, ...placeOf(owner) }),
    'a secret with files',
  )
}

/** Adds a draft with files to the owner's folder. */
export async function addDraftWithFiles(
  installation: Pick<Installation, 'sotto'>,
  owner: Owner,
  files: readonly SentFile[],
) {
  const input = { label: 'a label', note: 'a note', upload: await upload(installation, owner, files) }
  return expectOk(await installation.sotto.saveDraft({ ...input, ...placeOf(owner) }), 'a draft with files')
}

function placeOf({ accountId, folderId }: Owner) {
  return { accountId, folderId }
}

/** Opens a link. */
export async function openLink(
  { sotto }: Pick<Installation, 'sotto'>,
  { link }: ShareableSecret,
): Promise<OpenedSecret> {
  return expectOk(await sotto.openSecret({ token: link.token }), 'opening a link')
}

/** The contents of the files of a link that was opened, fetched with its ticket. */
export async function fetched(
  { sotto }: Pick<Installation, 'sotto'>,
  { attached }: OpenedSecret,
): Promise<readonly Buffer[]> {
  const contents = []
  for (const [at] of (attached?.files ?? []).entries()) {
    const file = expectOk(
      await sotto.readTicket({ ticket: attached?.ticket ?? '', number: at + 1 }),
      'a file',
    )
    const pieces = []
    for await (const piece of file.read()) pieces.push(expectOk(piece))
    contents.push(Buffer.concat(pieces))
  }
  return contents
}

/** The stored contents by the ids of their files, as they are encrypted. */
export async function storedContents({
  storage: { fileContents },
}: Pick<Installation, 'storage'>): Promise<ReadonlyMap<string, Buffer>> {
  const stored = new Map<string, Buffer>()
  for (const { id, length } of expectOk(await fileContents.page(undefined, 1_000))) {
    const pieces = []
    for await (const piece of fileContents.read(id, { start: 0, end: length })) pieces.push(expectOk(piece))
    stored.set(id, Buffer.concat(pieces))
  }
  return stored
}

/** How many files, and how many of their bytes, an installation counts. */
export async function countedFiles({ storage }: Pick<Installation, 'storage'>) {
  const { files, fileBytes } = expectOk(await storage.upkeep.countRows())
  return { files, fileBytes }
}
