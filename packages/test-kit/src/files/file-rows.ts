import type {
  ContentUnderWay,
  NewTicket,
  StoredNote,
  StoredSecret,
  StoredSecretFile,
  StoredShareableSecret,
} from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { addFolder } from '../stores/rows.ts'

/** More than any sum of the cases. */
const plenty = 1_000_000

/** Reserves contents under way for this many files, as for what is uploaded for them. Returns the files. */
export async function reserved<Files extends readonly StoredSecretFile[]>(
  { secretFiles }: Pick<FullStorage, 'secretFiles'>,
  files: Files,
  bytes = 500,
): Promise<Files> {
  for (const file of files)
    expectOk(
      await secretFiles.reserve(underWay(file, { bytes }), { bytesMax: plenty }),
      'reserving space for a content',
    )
  return files
}

/** A content under way that counts 500 bytes for an hour. */
export function underWay(
  { id, accountId, secretId }: Pick<StoredSecretFile, 'id' | 'accountId' | 'secretId'>,
  columns: Partial<ContentUnderWay> = {},
): ContentUnderWay {
  const untilMicros = noonMicros + 3_600_000_000
  return { id, accountId, secretId, bytes: 500, aheadBytes: 0, untilMicros, isNew: true, ...columns }
}

/** A secret with two files of 1,000 bytes together, the second of which is shown before the link is opened. */
export interface AddedFiles {
  readonly secret: StoredShareableSecret
  readonly note: StoredNote
  readonly files: readonly [StoredSecretFile, StoredSecretFile]
}

/** Adds one to the folder, or to a new one. */
export async function addFiles(
  store: FullStorage,
  make: Samples,
  folder?: Parameters<Samples['secret']>[0],
): Promise<AddedFiles> {
  const secret = make.secret(folder ?? (await addFolder(store, make)))
  const files = twoFiles(make, secret)
  const note = make.note()
  expectOk(
    await store.secrets.insert(secret, note, await reserved(store, files)),
    'adding a secret with files',
  )
  return { secret, note, files }
}

/** Two files of a secret, of which the second is shown before the link is opened. */
export function twoFiles(make: Samples, secret: StoredSecret) {
  return [make.file(secret), make.file(secret, { number: 2, isShown: true })] as const
}

/** Opens a link, which leaves a ticket. What is stored of it. */
export async function openWithTicket(
  store: FullStorage,
  make: Samples,
  { link }: StoredShareableSecret,
  columns: Partial<Pick<NewTicket, 'expiresAtMicros' | 'othersMax'>> & {
    readonly destroyNote?: boolean
  } = {},
) {
  const { destroyNote = false, ...rest } = columns
  const ticket = make.ticket(rest)
  const { othersMax: _, ...stored } = ticket
  expectOk(
    await store.links.update(link.lookup, undefined, () => ok({ opens: 1, destroyNote, ticket })),
    'opening a link',
  )
  return stored
}

/** Every file, or those that pass the filter. */
export async function filesIn(
  store: FullStorage,
  filter: Parameters<FullStorage['secretFiles']['page']>[0] = {},
): Promise<readonly StoredSecretFile[]> {
  return expectOk(await store.secretFiles.page(filter, undefined, 1_000))
}
