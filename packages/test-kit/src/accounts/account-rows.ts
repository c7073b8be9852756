import { reserved } from '../files/file-rows.ts'
import type { Encrypted, StoredText, TextColumn, Uuid } from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { kids } from '../stores/harness.ts'
import { addEmailChange, addInvitation } from '../stores/one-time-rows.ts'
import { addDeliveries } from '../notifications/queue-rows.ts'
import { addRequest } from '../requests/request-rows.ts'
import { addPassword, recordWithNote, under } from '../stores/rows.ts'

/** An account with a row of every kind: in one folder a draft and a shareable secret, and everything that lets its owner in. */
export type FullAccount = Awaited<ReturnType<typeof addFullAccount>>

/** Adds such an account, with everything that is encrypted under one key. */
export async function addFullAccount(store: FullStorage, make: Samples, kid = kids.writable) {
  const displayName = { id: make.uuid(), name: under(make, kid) }
  const account = make.account({ name: under(make, kid), displayName, language: 'de', notifies: true })
  const [{ id }, index] = [account, make.nameIndex()]
  expectOk(await store.accounts.insert(account, [index]), 'adding an account')
  same(expectOk(await store.accounts.setDisplayName(id, displayName)), true, 'a display name')
  const folder = make.folder(id, { label: under(make, kid) })
  expectOk(await store.folders.insert(folder), 'adding a folder')
  const [draft, draftNote] = [make.draft(folder, { kid, openLimit: 2 }), make.note()]
  const [secret, note] = [make.secret(folder, noonMicros, { kid }), make.note()]
  expectOk(await store.secrets.insert(draft, draftNote), 'adding a draft')
  const file = make.file(secret, { about: under(make, kid) })
  expectOk(await store.secrets.insert(secret, note, await reserved(store, [file])), 'adding a secret')
  const [token, tokenDigest] = [make.accessToken(id, { name: under(make, kid) }), make.tokenDigest()]
  expectOk(await store.accessTokens.insert(token, tokenDigest), 'adding a token')
  const added = await addPassword(store, make, id, { hash: under(make, kid) })
  const { password, digest: sessionDigest } = added
  const session = { ...added.session, name: under(make, kid) }
  same(expectOk(await store.sessions.rename(id, session.id, session.name)), true, 'naming a session')
  const identity = make.identity(id, { name: under(make, kid) })
  const identityIndex = make.nameIndex()
  expectOk(await store.identities.insert(identity, [identityIndex], 5), 'adding an identity')
  const passkey = make.passkey(id, { name: under(make, kid) })
  const passkeyDigest = make.tokenDigest()
  expectOk(await store.passkeys.insert(passkey, passkeyDigest, 10), 'adding a passkey')
  const { digest: invitationDigest } = await addInvitation(store, make, id, { kind: 'reset' })
  const { digest: changeDigest } = await addEmailChange(store, make, id)
  const address = make.tokenDigest()
  const known = { accountId: id, address, atMicros: noonMicros }
  expectOk(await store.signIns.rememberAddress(known, 10), 'remembering an address')
  const webhook = make.webhook(id, { endpoint: under(make, kid) })
  expectOk(await store.webhooks.insert(webhook, 5), 'adding a webhook')
  const target = { kind: 'webhook', accountId: id, webhookId: webhook.id } as const
  const deliveries = [make.delivery(make.event(id), { target }), make.delivery(make.event(id))]
  await addDeliveries(store, { secret }, deliveries)
  const asked = await addRequest(store, make, { content: under(make, kid) }, folder)
  const { request, digest: requestDigest } = asked
  const texts = {
    'account.name': [id, account.name],
    'folder.label': [folder.id, folder.label],
    'access_token.name': [token.id, token.name],
    'account.password': [password.id, password.hash],
    'webhook.endpoint': [webhook.id, webhook.endpoint],
    'account.display_name': [displayName.id, displayName.name],
    'session.name': [session.id, session.name],
    'request.content': [request.id, request.content],
    'identity.name': [identity.id, identity.name],
    'passkey.name': [passkey.id, passkey.name],
    'file.about': [file.id, file.about],
  } as const satisfies Record<TextColumn, readonly [Uuid, Encrypted]>
  const textIn = (column: TextColumn): StoredText => {
    const [rowId, encrypted] = texts[column]
    return { place: { column, accountId: id, rowId }, encrypted }
  }
  const rows = {
    account,
    folder,
    draft,
    draftNote,
    secret,
    note,
    token,
    password,
    session,
    webhook,
    identity,
    passkey,
    request,
  }
  const digests = {
    requestDigest,
    tokenDigest,
    sessionDigest,
    identityIndex,
    passkeyDigest,
    invitationDigest,
    changeDigest,
  }
  return { id, index, ...rows, ...digests, address, textIn }
}

/** All that is stored of the account. */
export async function rowsOf(store: FullStorage, full: FullAccount) {
  const { id, draft, secret } = full
  const found = expectOk(await store.drafts.find(id, draft.id))
  return {
    account: expectOk(await store.accounts.find(id)),
    folders: expectOk(await store.folders.page(id, noonMicros, undefined, 10)),
    drafts: expectOk(await store.drafts.page({ accountId: id }, undefined, 10)),
    draft: found && { note: found.note, attempts: found.attempts },
    secrets: expectOk(await store.secrets.page({ accountId: id, nowMicros: noonMicros }, undefined, 10)),
    link: await recordWithNote(store, secret.link.lookup),
    ...(await accessOf(store, full)),
  }
}

/** The rows that let somebody into the account, and all messages that will be sent for it. */
export async function accessOf(store: FullStorage, full: FullAccount) {
  const { id } = full
  const texts = await store.rewraps.texts('account.display_name', kids.unknown, undefined, 100)
  return {
    tokens: expectOk(await store.accessTokens.page(id, undefined, 10)),
    token: expectOk(await store.accessTokens.findUsable(full.tokenDigest, noonMicros)),
    sessions: expectOk(await store.sessions.page(id, undefined, 10)),
    session: expectOk(await store.sessions.findByDigest(full.sessionDigest)),
    password: expectOk(await store.passwords.find(id)),
    identities: expectOk(await store.identities.list(id)),
    identity: expectOk(await store.identities.find([full.identityIndex])),
    passkeys: expectOk(await store.passkeys.list(id)),
    passkey: expectOk(await store.passkeys.findByCredential(full.passkeyDigest)),
    displayName: expectOk(texts).find(({ place }) => place.accountId === id)?.encrypted,
    invitation: expectOk(await store.invitations.find(full.invitationDigest, noonMicros)),
    change: expectOk(await store.emailChanges.find(full.changeDigest, noonMicros)),
    address: expectOk(await store.signIns.knowsAddress(id, [full.address], 0)),
    request: expectOk(await store.requests.findByDigest(full.requestDigest, noonMicros)),
    webhooks: expectOk(await store.webhooks.list(id)),
    deliveries: expectOk(await store.deliveries.page({ accountId: id }, undefined, 10)),
  }
}

/** What {@link accessOf} gives when nobody gets in, and nothing will be sent. */
export const noAccess: Awaited<ReturnType<typeof accessOf>> = {
  tokens: [],
  token: undefined,
  sessions: [],
  session: undefined,
  password: undefined,
  identities: [],
  identity: undefined,
  passkeys: [],
  passkey: undefined,
  displayName: undefined,
  invitation: undefined,
  change: undefined,
  address: false,
  request: undefined,
  webhooks: [],
  deliveries: [],
}

/** What {@link rowsOf} gives when nothing is stored of the account. */
export const noRows: Awaited<ReturnType<typeof rowsOf>> = {
  ...noAccess,
  account: undefined,
  folders: [],
  drafts: [],
  draft: undefined,
  secrets: [],
  link: undefined,
}
