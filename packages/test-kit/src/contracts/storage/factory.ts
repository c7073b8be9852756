import { nilUuid, type StoredShareableSecret, type Uuid } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import { casesOf, caseOfTwo, declaredMethodsCase, withUnit } from '../../contract.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { createSamples, noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import {
  addKeys,
  besideCase,
  kids,
  sampleKey,
  storageCase,
  type StorageCapability,
  type StorageCase,
  type StorageUnderTest,
  together,
} from './harness.ts'
import { addLink, linkRecordOf, recordWithNote, secretOf, reportsNothing } from './rows.ts'

/** Cases of the harness itself. They come first: when one of them fails, the others mean nothing. */
export const factoryCases: readonly StorageCase[] = casesOf({
  'storage/opens-empty': storageCase({
    rule: 'A storage that was just opened holds no row.',
    async check(store, make) {
      same(expectOk(await store.accounts.page(undefined, 10)), [])
      same(expectOk(await store.outbox.page(undefined, 10)), [])
      await holdsNothingOf(store, make, nilUuid)
      same(expectOk(await store.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 10, reportsNothing)), 0)
    },
  }),
  'storage/opens-apart': caseOfTwo({
    rule: 'Two storages that are open at the same time share no row.',
    async check(one: StorageUnderTest, other: StorageUnderTest) {
      await addKeys(one)
      const make = createSamples(kids.writable)
      const { secret } = await addLink(one, make)
      same(expectOk(await other.accounts.page(undefined, 10)), [])
      await holdsNothingOf(other, make, secret.accountId)
      same(await linkRecordOf(other, secret.link.lookup), undefined)
      same(expectOk(await other.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 10, reportsNothing)), 0)
    },
  }),
  'storage/opens-empty-again': {
    rule: 'A storage leaves nothing behind for the next one.',
    async run(harness) {
      await withUnit(harness, async (first) => {
        await addKeys(first)
        await addLink(first, createSamples(kids.writable))
      })
      await withUnit(harness, async (second) => {
        same(expectOk(await second.accounts.page(undefined, 10)), [])
      })
    },
  },
  'storage/offers-what-it-declares': declaredMethodsCase<
    StorageUnderTest,
    StorageCapability & keyof StorageUnderTest
  >(['reopen', 'beside']),
  'storage/closed-storage-answers': {
    rule: 'Once closed, every method answers a storage error; none throws, rejects or hangs.',
    async run(harness) {
      const store = await harness.open()
      await addKeys(store)
      const make = createSamples(kids.writable)
      const link = await addLink(store, make)
      await store.dispose()
      for (const call of everyCall(store, make, link)) {
        expectErr(await call(), 'storage_unavailable', 'storage_failed')
      }
      store.accessTokens.recordUse(make.uuid(), noonMicros)
      store.sessions.recordUse(make.uuid(), noonMicros)
      same(store.erasure.finish(), false, 'whether erased data was removed')
      store.erasure.pendingForMillis()
      await store.upkeep.examine()
    },
  },
})

/** Cases of several storages on the same data. */
export const besideCases: readonly StorageCase[] = together({
  'storage/writes-are-seen-beside': besideCase({
    rule: 'What one storage has answered with Ok is found immediately by another storage on the same data.',
    async check(store, beside, make) {
      const { secret, note, folder } = await addLink(store, make)
      same(await secretOf(beside, secret.accountId, secret.id), secret)
      expectOk(await beside.links.update(secret.link.lookup, undefined, () => ok({ opens: 1 })))
      const found = await recordWithNote(store, secret.link.lookup)
      same({ opens: found?.state.opens, note: found?.note }, { opens: 1, note })
      const second = make.secret(folder, noonMicros + 1)
      expectOk(await beside.secrets.insert(second, note))
      const filter = { accountId: secret.accountId, nowMicros: noonMicros }
      same(expectOk(await store.secrets.page(filter, undefined, 10)), [second, secret])
    },
  }),
})

async function holdsNothingOf(store: StorageUnderTest, make: Samples, accountId: Uuid): Promise<void> {
  same(expectOk(await store.accounts.findByName([make.nameIndex()])), undefined)
  same(expectOk(await store.folders.page(accountId, 0, undefined, 10)), [])
  same(expectOk(await store.secrets.page({ accountId, nowMicros: 0 }, undefined, 10)), [])
  same(expectOk(await store.drafts.page({ accountId }, undefined, 10)), [])
  same(expectOk(await store.accessTokens.page(accountId, undefined, 10)), [])
  same(expectOk(await store.passwords.find(accountId)), undefined)
  same(expectOk(await store.sessions.page(accountId, undefined, 10)), [])
  same(expectOk(await store.invitations.eraseExpired(Number.MAX_SAFE_INTEGER, 10)), 0)
  same(expectOk(await store.signIns.eraseOver(Number.MAX_SAFE_INTEGER, 10)), 0)
  same(expectOk(await store.webhooks.list(accountId)), [])
  same(expectOk(await store.deliveries.page({}, undefined, 10)), [])
}

type Call = () => ResultAsync<unknown, { readonly code: string }>

/** A call of every method that answers a result. */
function everyCall(
  store: StorageUnderTest,
  make: Samples,
  { secret, folder, note }: Awaited<ReturnType<typeof addLink>>,
): readonly Call[] {
  const { accountId, id } = secret
  const draft = make.draft(folder)
  const place = { column: 'folder.label', accountId, rowId: folder.id } as const
  const encrypted = { kid: draft.kid, head: make.ciphertext(), wrap: note.wrap }
  const {
    accounts,
    folders,
    secrets,
    drafts,
    links,
    outbox,
    accessTokens,
    keys,
    servers,
    rewraps,
    corruption,
    upkeep,
  } = store
  return [
    ...callsOfOwners(store, make, secret),
    ...callsOfQueue(store, make, accountId),
    () => accounts.insert(make.account(), [make.nameIndex()]),
    () => accounts.findByName([make.nameIndex()]),
    () => accounts.page(undefined, 1),
    () => accounts.disable(accountId, noonMicros),
    () => accounts.find(accountId),
    () => accounts.rename(accountId, make.encrypted(), [make.nameIndex()]),
    () => accounts.setLanguage(accountId, 'de'),
    () => accounts.setMails(accountId, { enabled: true, nameLabels: true }),
    () => accounts.setNotifies(accountId, true),
    () => accounts.setDisplayName(accountId, make.displayName()),
    () => accounts.beginErasure(accountId),
    () => accounts.eraseBegun(1),
    () => folders.insert(make.folder(accountId)),
    () => folders.owns(accountId, folder.id),
    () => folders.page(accountId, noonMicros, undefined, 1),
    () => folders.find(accountId, folder.id, noonMicros),
    () => folders.relabel(accountId, folder.id, make.encrypted()),
    () => folders.erase(accountId, folder.id, noonMicros),
    () => secrets.insert(draft, note),
    () => secrets.find(accountId, id, noonMicros),
    () => secrets.page({ accountId, nowMicros: noonMicros }, undefined, 1),
    () => secrets.eraseExpired(noonMicros, 1, reportsNothing),
    () => secrets.activity(accountId, id),
    () => secrets.overviews({ accountId, nowMicros: noonMicros }, undefined, 1),
    () => secrets.counts({ accountId, nowMicros: noonMicros }),
    () => secrets.erase(accountId, id),
    () => drafts.find(accountId, id),
    () => drafts.updateAttempts(accountId, id, (attempts) => ({ attempts })),
    () => drafts.page({ accountId }, undefined, 1),
    () => drafts.share({ accountId, id, expectedHead: draft.head }, make.link(), encrypted),
    () => drafts.replace(draft.head, { ...draft, link: undefined }, note),
    () => drafts.erase(accountId, id),
    () => links.find(secret.link.lookup, noonMicros),
    () => links.findWithNote(secret.link.lookup, { nowMicros: noonMicros, evenWithPassword: true }),
    () => links.update(secret.link.lookup, undefined, () => ok({ opens: 1 })),
    () => outbox.page(undefined, 1),
    () => outbox.distribute([]),
    () => outbox.eraseOld(noonMicros, 1),
    () => accessTokens.insert(make.accessToken(accountId), make.tokenDigest()),
    () => accessTokens.findUsable(make.tokenDigest(), noonMicros),
    () => accessTokens.page(accountId, undefined, 1),
    () => accessTokens.revoke(accountId, id, noonMicros),
    () => keys.known(),
    () => keys.list(),
    () => keys.activate(kids.spare),
    () => servers.list(),
    () => servers.show({ id, name: 'a server', kid: 1, seenAtMicros: noonMicros }, 0),
    () => servers.remove(id),
    () => keys.add(sampleKey(kids.unknown)),
    () => keys.retire(kids.spare),
    () => rewraps.texts('folder.label', kids.spare, undefined, 1),
    () => rewraps.replaceText({ place, encrypted: folder.label }, make.encrypted(), undefined),
    () => rewraps.secrets(kids.spare, undefined, 1),
    () => rewraps.replaceSecret({ secret, wrap: note.wrap }, encrypted),
    () => corruption.eraseSecret({ secret, wrap: note.wrap }, note.note),
    () => corruption.eraseText('access_token.name', id, make.encrypted()),
    () => upkeep.canWrite(),
    () => upkeep.lastSweep(),
    () => upkeep.recordSweep(noonMicros),
    () => upkeep.lastWrite(),
    () => upkeep.oldestExpiry(),
    () => upkeep.countRows(),
  ]
}

/** A call of every method of the deliveries and webhooks. */
function callsOfQueue(
  { deliveries, webhooks }: StorageUnderTest,
  make: Samples,
  accountId: Uuid,
): readonly Call[] {
  const target = { kind: 'mail', accountId } as const
  const lease = { id: make.uuid(), target }
  const times = { nowMicros: noonMicros, untilMicros: noonMicros + 1, latestMicros: Infinity }
  return [
    () => deliveries.lease({ ...times, ids: [lease.id], perTarget: 1, kind: 'mail' }),
    () => deliveries.settle(lease, make.uuid(), { outcome: 'done' }),
    () => deliveries.release(lease),
    () => deliveries.nextDue('mail'),
    () => deliveries.page({}, undefined, 1),
    () => deliveries.retry(make.uuid(), noonMicros),
    () => deliveries.eraseTarget(target),
    () => deliveries.eraseDead(noonMicros, 1),
    () => deliveries.state(),
    () => webhooks.insert(make.webhook(accountId), 5),
    () => webhooks.find(accountId, make.uuid()),
    () => webhooks.list(accountId),
    () => webhooks.update(accountId, make.uuid(), () => undefined),
    () => webhooks.erase(accountId, make.uuid()),
  ]
}

/** A call of every method of the stores behind the pages of owners. */
function callsOfOwners(
  { passwords, sessions, invitations, emailChanges, signIns, idempotencyKeys }: StorageUnderTest,
  make: Samples,
  secret: StoredShareableSecret,
): readonly Call[] {
  const { accountId } = secret
  const [password, session, digest] = [make.password(accountId), make.session(accountId), make.tokenDigest()]
  const left = { nowMicros: noonMicros, password, session, sessionDigest: digest }
  const known = { accountId, address: digest, atMicros: noonMicros }
  return [
    () => passwords.find(accountId),
    () => passwords.replace(password, { expectedId: password.id, keepSessionId: session.id }),
    () => sessions.insert(session, digest, password.id),
    () => sessions.findByDigest(digest),
    () => sessions.page(accountId, undefined, 1),
    () => sessions.recordReauthentication(session.id, noonMicros),
    () => sessions.rename(accountId, session.id, make.encrypted()),
    () => sessions.erase(accountId, session.id),
    () => sessions.eraseOver({ createdByMicros: 0, lastUsedByMicros: 0 }, 1),
    () => invitations.replace(make.invitation(accountId), digest),
    () => invitations.find(digest, noonMicros),
    () => invitations.findOfAccount(accountId, noonMicros),
    () => invitations.spend(digest, left),
    () => invitations.eraseExpired(noonMicros, 1),
    () => emailChanges.replace(make.emailChange(accountId), digest),
    () => emailChanges.find(digest, noonMicros),
    () => emailChanges.spend(digest, noonMicros, make.encrypted(), [digest]),
    () => emailChanges.eraseExpired(noonMicros, 1),
    () => idempotencyKeys.find(accountId, [digest], 0),
    () => idempotencyKeys.insertSecret(secret, make.note(), { digests: [], forgottenByMicros: 0 }),
    () => idempotencyKeys.eraseOld(noonMicros, 1),
    () => signIns.update([digest], () => ok({ buckets: [undefined] })),
    () => signIns.eraseOver(noonMicros, 1),
    () => signIns.rememberAddress(known, 1),
    () => signIns.knowsAddress(accountId, [digest], 0),
  ]
}
