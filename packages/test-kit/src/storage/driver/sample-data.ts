import { noAttempts, type RestoreOptions, type Uuid } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { err, ok } from 'neverthrow'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { noonMicros, type Samples } from '../../shared/samples.ts'
import { bytesOf, inPieces, joined } from '../../files/pieces.ts'
import { addFullAccount, rowsOf } from '../../accounts/account-rows.ts'
import { reserved } from '../../files/file-rows.ts'
import { putEvents } from '../../notifications/queue-rows.ts'
import { addRequest, handIn } from '../../requests/request-rows.ts'
import { addFolder, linkRecordOf, recordWithNote } from '../../stores/rows.ts'

/** An hour after the rows were written; the time of backups and restores. */
export const laterMicros = noonMicros + 3_600_000_000

/** Restores everything that has not expired. */
export const keepAll: Omit<RestoreOptions<never>, 'file'> = {
  nowMicros: laterMicros,
  keepLimited: true,
  keepTokens: true,
  checkKeys: ({ keys }) => ok(keys.map(({ kid }) => kid)),
}

/** What {@link fill} adds. */
export type SampleData = Awaited<ReturnType<typeof fill>>

/**
 * Adds rows of every kind, a content under way among them, and counts an open of a secret with a limit, and an answer of a form; one event
 * waits. Another account has a secret that expires before {@link laterMicros}.
 */
export async function fill(storage: FullOpenStorage, make: Samples) {
  const full = await addFullAccount(storage, make)
  const { id: accountId, folder } = full
  const fileId = full.textIn('file.about').place.rowId
  await addContent(storage, fileId)
  await reserved(storage, [make.file(make.secret(folder))])
  const limited = make.secret(folder, noonMicros + 1, { openLimit: 3 })
  const expired = make.secret(await addFolder(storage, make), noonMicros, {
    link: make.link(noonMicros, 1_000_000),
  })
  for (const secret of [limited, expired]) expectOk(await storage.secrets.insert(secret, make.note()))
  expectOk(await storage.links.update(limited.link.lookup, undefined, () => ok({ opens: 1 })))
  await putEvents(storage, { secret: limited }, [make.event(accountId)])
  const disabled = make.webhook(accountId, { disabled: { atMicros: noonMicros, reason: 'gone' } })
  expectOk(await storage.webhooks.insert(disabled, 5))
  const revoked = make.accessToken(accountId, { createdAtMicros: noonMicros + 1, revokedAtMicros: 7 })
  expectOk(await storage.accessTokens.insert(revoked, make.tokenDigest()))
  const asked = await addRequest(storage, make, { answersAllowed: 3, takesFiles: true }, folder)
  const formId = make.formId()
  expectOk(await handIn(storage, make, asked, { formId }), 'answering a request')
  const bucket = make.tokenDigest()
  const counted = { attempts: { ...noAttempts, wrongTotal: 1 }, eraseAtMicros: laterMicros + 1 }
  expectOk(await storage.signIns.update([bucket], () => ok({ buckets: [counted] })), 'counting an attempt')
  const seenIn = async (place: FullOpenStorage) => ({
    ...(await rowsOf(place, full)),
    answered: expectOk(await place.requests.findByDigest(asked.digest, laterMicros, { formId })),
    content: await contentIn(place, fileId),
    limited: await recordWithNote(place, limited.link.lookup),
    expired: (await linkRecordOf(place, expired.link.lookup))?.secret,
    attempts: expectErr(await place.signIns.update([bucket], ([state]) => err(state))),
  })
  return { accountId, folder, rows: await seenIn(storage), seenIn }
}

/** How many bytes the content of a file has that {@link fill} adds. */
export const contentBytes = 300_000

/** Stores a content of its own for a file. */
export async function addContent({ fileContents }: FullOpenStorage, id: Uuid): Promise<void> {
  expectOk(await fileContents.append(id, inPieces(contentOf(id), 70_000)), 'storing a content')
}

/** What {@link addContent} stores: another content for each file. */
export function contentOf(id: Uuid): Uint8Array {
  const content = bytesOf(contentBytes)
  content.set(Buffer.from(id), contentBytes / 2)
  return content
}

/** The content of a file; `undefined` when there is none. */
export async function contentIn(
  { fileContents }: FullOpenStorage,
  id: Uuid,
): Promise<Uint8Array | undefined> {
  const contents = expectOk(await fileContents.page(undefined, 1_000))
  if (!contents.some((content) => content.id === id)) return undefined
  return joined(fileContents.read(id, { start: 0, end: 2 * contentBytes }))
}

/** What is different about the rows once everybody is signed out. */
export const signedOut = {
  sessions: [],
  session: undefined,
  invitation: undefined,
  change: undefined,
  address: false,
  attempts: noAttempts,
}
