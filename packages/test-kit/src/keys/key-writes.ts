import { secretUnder, under } from '../stores/rows.ts'
import type { FullStorage } from '@sotto/identity'
import { ok, type ResultAsync } from 'neverthrow'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { addFullAccount, type FullAccount } from '../accounts/account-rows.ts'
import { makeDigests } from '../secrets/idempotency-rows.ts'
import { answerTo } from '../requests/request-rows.ts'
import { taking } from '../single-sign-on/identity-rows.ts'
import { spending } from '../stores/one-time-rows.ts'

/** Where a write writes. */
interface Place {
  readonly store: FullStorage
  readonly make: Samples
  readonly full: FullAccount
}

export type Write = (place: Place, kid: number) => ResultAsync<unknown, { readonly code: string }>

type Writes = Readonly<Record<string, Write>>

/** Writes that one account can have again and again, each of one row that has no other under the key. */
export const inserts: Writes = {
  'accounts.insert': ({ store, make }, kid) =>
    store.accounts.insert(make.account({ name: under(make, kid) }), [make.nameIndex()]),
  'accounts.setDisplayName': ({ store, make, full }, kid) =>
    store.accounts.setDisplayName(full.id, { id: make.uuid(), name: under(make, kid) }),
  'folders.insert': ({ store, make, full }, kid) =>
    store.folders.insert(make.folder(full.id, { label: under(make, kid) })),
  'accessTokens.insert': ({ store, make, full }, kid) =>
    store.accessTokens.insert(make.accessToken(full.id, { name: under(make, kid) }), make.tokenDigest()),
  'sessions.rename': ({ store, make, full }, kid) =>
    store.sessions.rename(full.id, full.session.id, under(make, kid)),
  'webhooks.insert': ({ store, make, full }, kid) =>
    store.webhooks.insert(make.webhook(full.id, { endpoint: under(make, kid) }), 100),
  'identities.insert': ({ store, make, full }, kid) =>
    store.identities.insert(make.identity(full.id, { name: under(make, kid) }), [make.nameIndex()], 100),
  'passkeys.insert': ({ store, make, full }, kid) =>
    store.passkeys.insert(make.passkey(full.id, { name: under(make, kid) }), make.tokenDigest(), 100),
  'secrets.insert of a draft': ({ store, make, full }, kid) =>
    store.secrets.insert(make.draft(full.folder, { kid }), make.note()),
  'secrets.insert': ({ store, make, full }, kid) =>
    store.secrets.insert(make.secret(full.folder, noonMicros, { kid }), make.note()),
  'requests.insert': ({ store, make, full }, kid) =>
    store.requests.insert(make.request(full.folder, { content: under(make, kid) }), make.tokenDigest()),
  'requests.answer': ({ store, make, full }, kid) =>
    store.requests.answer(full.requestDigest, {}, answerTo(make, full.folder, { kid }), () =>
      ok({ accepted: { answers: 1, receivedAtMicros: noonMicros } }),
    ),
  'idempotencyKeys.insertSecret': ({ store, make, full }, kid) =>
    store.idempotencyKeys.insertSecret(make.secret(full.folder, noonMicros, { kid }), make.note(), {
      digests: [makeDigests(make)],
      forgottenByMicros: -1,
    }),
}

/** Every write of what is encrypted; beside {@link inserts} those that an account has once. */
export const writes: Writes = {
  ...inserts,
  'accounts.rename': ({ store, make, full }, kid) =>
    store.accounts.rename(full.id, under(make, kid), [make.nameIndex()]),
  'folders.relabel': ({ store, make, full }, kid) =>
    store.folders.relabel(full.id, full.folder.id, under(make, kid)),
  'passwords.replace': ({ store, make, full: { id, password, session } }, kid) =>
    store.passwords.replace(make.password(id, { hash: under(make, kid) }), {
      expectedId: password.id,
      keepSessionId: session.id,
    }),
  'invitations.spend': ({ store, make, full }, kid) =>
    store.invitations.spend(full.invitationDigest, spending(make, full.id, { hash: under(make, kid) })),
  'identities.takeInvitation': ({ store, make, full }, kid) =>
    store.identities.takeInvitation(
      full.invitationDigest,
      taking(make, full.id, { name: under(make, kid) }),
      100,
    ),
  'emailChanges.spend': ({ store, make, full }, kid) =>
    store.emailChanges.spend(full.changeDigest, noonMicros, under(make, kid), [make.nameIndex()]),
  'drafts.replace': ({ store, make, full: { draft } }, kid) =>
    store.drafts.replace(
      draft.headCiphertext,
      { ...draft, link: undefined, kid, headCiphertext: make.ciphertext() },
      make.note(),
    ),
  'drafts.share': ({ store, make, full: { draft } }, kid) =>
    store.drafts.share(
      { ...draft, expectedHeadCiphertext: draft.headCiphertext },
      make.link(),
      secretUnder(make, kid),
    ),
  'rewraps.replaceText': ({ store, make, full }, kid) =>
    store.rewraps.replaceText(full.textIn('folder.label'), under(make, kid), undefined),
  'rewraps.replaceSecret': ({ store, make, full: { secret, note } }, kid) =>
    store.rewraps.replaceSecret({ secret, wrappedKey: note.wrappedKey }, secretUnder(make, kid)),
}

type Work = (write: (kid: number) => ReturnType<Write>, name: string) => Promise<void>

/** Runs the work for each write. Those that an account has once get an account of their own. */
export async function eachOf(
  some: typeof writes,
  store: FullStorage,
  make: Samples,
  work: Work,
): Promise<void> {
  const shared = await addFullAccount(store, make)
  for (const [name, write] of Object.entries(some)) {
    const full = name in inserts ? shared : await addFullAccount(store, make)
    await work((kid) => write({ store, make, full }, kid), name)
  }
}
