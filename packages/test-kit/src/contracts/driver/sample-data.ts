import type {
  OpenStorage,
  RestoreOptions,
  StoredAccessToken,
  StoredAccount,
  StoredFolder,
  StoredNote,
  StoredPassword,
  StoredSecret,
  StoredSession,
  StoredShareableSecret,
  StoredWebhook,
} from '@sotto/core'
import { ok } from 'neverthrow'
import { expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { addFolder, addPassword, noteBehind, secretOf } from '../storage/rows.ts'

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
export interface SampleData {
  readonly account: StoredAccount
  readonly folder: StoredFolder
  readonly draft: StoredSecret
  readonly draftNote: StoredNote
  readonly unlimited: StoredShareableSecret
  readonly unlimitedNote: StoredNote
  readonly limited: StoredShareableSecret
  readonly limitedNote: StoredNote
  /** Expires before {@link laterMicros}. */
  readonly expired: StoredShareableSecret
  /** By creation: one that is accepted, then one that was revoked before. */
  readonly tokens: readonly StoredAccessToken[]
  readonly password: StoredPassword
  readonly sessions: readonly StoredSession[]
  readonly webhook: StoredWebhook
}

/** Adds rows of every kind, and counts an open of the limited secret: one event about it waits, and a delivery of another one. */
export async function fill(storage: OpenStorage, make: Samples): Promise<SampleData> {
  const displayName = make.displayName()
  const account = make.account({ notifies: true, displayName })
  expectOk(await storage.accounts.insert(account, [make.nameIndex()]))
  expectOk(await storage.accounts.setDisplayName(account.id, displayName))
  const folder = await addFolder(storage, make, account.id)
  const draft = make.draft(folder, { openLimit: 2 })
  const unlimited = make.secret(folder, noonMicros + 1)
  const limited = make.secret(folder, noonMicros, { openLimit: 3 })
  const expired = make.secret(folder, noonMicros, { link: make.link(noonMicros, 1_000_000) })
  const [draftNote, unlimitedNote, limitedNote] = [make.note(), make.note(), make.note()]
  for (const [secret, note] of [
    [draft, draftNote],
    [unlimited, unlimitedNote],
    [limited, limitedNote],
    [expired, make.note()],
  ] as const) {
    expectOk(await storage.secrets.insert(secret, note))
  }
  const [distributed, event] = [make.event(account.id), make.event(account.id)]
  const events = [distributed, event]
  expectOk(await storage.links.update(limited.link.lookup, undefined, () => ok({ opens: 1, events })))
  const deliveries = [make.delivery(distributed)]
  expectOk(await storage.outbox.distribute([{ eventId: distributed.id, deliveries }]), 'adding a delivery')
  const webhook = make.webhook(account.id, { disabled: { atMicros: noonMicros, reason: 'gone' } })
  expectOk(await storage.webhooks.insert(webhook, 5), 'adding a webhook')
  const tokens = [
    make.accessToken(account.id),
    make.accessToken(account.id, { createdAtMicros: noonMicros + 1, revokedAtMicros: noonMicros + 2 }),
  ]
  for (const token of tokens) expectOk(await storage.accessTokens.insert(token, make.tokenDigest()))
  const { password, session } = await addPassword(storage, make, account.id)
  const name = make.encrypted()
  expectOk(await storage.sessions.rename(account.id, session.id, name))
  return {
    account,
    folder,
    draft,
    draftNote,
    unlimited,
    unlimitedNote,
    limited,
    limitedNote,
    expired,
    tokens,
    password,
    sessions: [{ ...session, name }],
    webhook,
  }
}

/** The sample data as it is stored; `undefined` for what is missing. */
export async function rowsOf(
  storage: OpenStorage,
  { account, folder, draft, unlimited, limited, expired }: SampleData,
): Promise<{ readonly [Name in keyof SampleData]: SampleData[Name] | undefined }> {
  const { accounts, folders, drafts, accessTokens, passwords, sessions, webhooks } = storage
  const find = async <S extends StoredSecret>({ accountId, id }: S) =>
    (await secretOf(storage, accountId, id)) as S | undefined
  const noteOf = async ({ link }: StoredShareableSecret) => noteBehind(storage, link.lookup)
  return {
    account: expectOk(await accounts.page(undefined, 10)).find(({ id }) => id === account.id),
    folder: expectOk(await folders.owns(account.id, folder.id)) ? folder : undefined,
    draft: await find(draft),
    draftNote: expectOk(await drafts.find(draft.accountId, draft.id))?.note,
    unlimited: await find(unlimited),
    unlimitedNote: await noteOf(unlimited),
    limited: await find(limited),
    limitedNote: await noteOf(limited),
    expired: await find(expired),
    tokens: expectOk(await accessTokens.page(account.id, undefined, 10)),
    password: expectOk(await passwords.find(account.id)),
    sessions: expectOk(await sessions.page(account.id, undefined, 10)),
    webhook: expectOk(await webhooks.list(account.id))[0],
  }
}
