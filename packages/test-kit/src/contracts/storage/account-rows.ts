import type {
  NewDelivery,
  StoredAccessToken,
  StoredAccount,
  StoredFolder,
  StoredPassword,
  StoredSecret,
  StoredSession,
  StoredShareableSecret,
  StoredWebhook,
} from '@sotto/core'
import { expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same, sameIds } from '../compare.ts'
import { kids, type StorageUnderTest } from './harness.ts'
import { addDeliveries, fresh } from './queue-rows.ts'
import { addDraft, addFolder, addLink, addPassword, recordWithNote, secretOf } from './rows.ts'
import { addInvitation } from './invitation-spending.ts'

/** An account with one row of every kind: one folder with a draft and a shareable secret in it, and all with which one gets in. */
export interface FullAccount {
  readonly account: StoredAccount
  readonly folder: StoredFolder
  readonly draft: StoredSecret
  readonly secret: StoredShareableSecret
  readonly token: StoredAccessToken
  readonly tokenDigest: Uint8Array
  readonly password: StoredPassword
  readonly session: StoredSession
  readonly sessionDigest: Uint8Array
  readonly invitationDigest: Uint8Array
  readonly address: Uint8Array
  readonly webhook: StoredWebhook
  /** One to the webhook, then one to the email address. */
  readonly deliveries: readonly NewDelivery[]
}

export async function addFullAccount(store: StorageUnderTest, make: Samples): Promise<FullAccount> {
  const displayName = make.displayName()
  const account = make.account({ displayName })
  const { id } = account
  expectOk(await store.accounts.insert(account, [make.nameIndex()]), 'adding an account')
  same(expectOk(await store.accounts.setDisplayName(id, displayName)), true, 'a display name')
  const folder = await addFolder(store, make, id)
  const [{ draft }, { secret }] = [await addDraft(store, make, folder), await addLink(store, make, folder)]
  const [token, tokenDigest] = [make.accessToken(id), make.tokenDigest()]
  expectOk(await store.accessTokens.insert(token, tokenDigest), 'adding a token')
  const { password, session, digest: sessionDigest } = await addPassword(store, make, id)
  const { digest: invitationDigest } = await addInvitation(store, make, id, { kind: 'reset' })
  const address = make.tokenDigest()
  const known = { accountId: id, address, atMicros: noonMicros }
  expectOk(await store.signIns.rememberAddress(known, 10), 'remembering an address')
  const webhook = make.webhook(id)
  expectOk(await store.webhooks.insert(webhook, 5), 'adding a webhook')
  const target = { kind: 'webhook', accountId: id, webhookId: webhook.id } as const
  const deliveries = [make.delivery(make.event(id), { target }), make.delivery(make.event(id))]
  await addDeliveries(store, { secret }, deliveries)
  const access = { token, tokenDigest, password, session, sessionDigest, invitationDigest, address }
  return { account, folder, draft, secret, webhook, deliveries, ...access }
}

/** Holds when everything with which one gets in is gone, and all that would be sent. */
export async function letsNobodyIn(store: StorageUnderTest, full: FullAccount): Promise<void> {
  const { id } = full.account
  same(expectOk(await store.accessTokens.findUsable(full.tokenDigest, noonMicros)), undefined, 'the token')
  same(expectOk(await store.accessTokens.revoke(id, full.token.id, noonMicros)), false, 'to revoke the token')
  same(expectOk(await store.accessTokens.page(id, undefined, 10)), [], 'the tokens')
  same(expectOk(await store.sessions.findByDigest(full.sessionDigest)), undefined, 'the session')
  same(expectOk(await store.sessions.page(id, undefined, 10)), [], 'the sessions')
  same(expectOk(await store.passwords.find(id)), undefined, 'the password')
  const names = expectOk(await store.rewraps.texts('account.display_name', kids.unknown, undefined, 100))
  same(
    names.filter(({ place }) => place.accountId === id),
    [],
    'the display name',
  )
  same(
    expectOk(await store.invitations.find(full.invitationDigest, noonMicros)),
    undefined,
    'the one-time link',
  )
  same(expectOk(await store.signIns.knowsAddress(id, [full.address], 0)), false, 'the address')
  same(expectOk(await store.webhooks.list(id)), [], 'the webhooks')
  same(expectOk(await store.deliveries.page({ accountId: id }, undefined, 10)), [], 'the deliveries')
}

/** Holds when all of the account is there. */
export async function holdsAccount(store: StorageUnderTest, full: FullAccount): Promise<void> {
  const { id } = full.account
  same(expectOk(await store.accounts.find(id)), full.account, 'the account')
  same(await rowsLeftOf(store, full), { secrets: 2, folders: 1 }, 'its secrets and folders')
  same((await recordWithNote(store, full.secret.link.lookup))?.secret, full.secret, 'its link')
  sameIds(expectOk(await store.accessTokens.page(id, undefined, 10)), [full.token.id], 'its tokens')
  sameIds(expectOk(await store.sessions.page(id, undefined, 10)), [full.session.id], 'its sessions')
  same(expectOk(await store.passwords.find(id)), full.password, 'its password')
  const invitation = expectOk(await store.invitations.find(full.invitationDigest, noonMicros))
  same(invitation?.accountId, id, 'its one-time link')
  same(expectOk(await store.signIns.knowsAddress(id, [full.address], 0)), true, 'its address')
  same(expectOk(await store.webhooks.list(id)), [full.webhook], 'its webhooks')
  const deliveries = expectOk(await store.deliveries.page({ accountId: id }, undefined, 10))
  same(deliveries, full.deliveries.map(fresh), 'its deliveries')
}

/** How many of its secrets, drafts included, and of its folders are there. */
export async function rowsLeftOf(
  store: StorageUnderTest,
  { account, folder, draft, secret }: FullAccount,
): Promise<{ readonly secrets: number; readonly folders: number }> {
  const found = [await secretOf(store, account.id, draft.id), await secretOf(store, account.id, secret.id)]
  const isFolderLeft = expectOk(await store.folders.owns(account.id, folder.id))
  return { secrets: found.filter((row) => row !== undefined).length, folders: isFolderLeft ? 1 : 0 }
}
