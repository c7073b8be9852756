import type { StoredShareableSecret, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { callsOfPasskeys } from '../passkeys/every-passkey-call.ts'
import { callsOfRequests } from '../requests/every-request-call.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { callsOfIdentities } from '../single-sign-on/every-identity-call.ts'
import { kids, sampleKey, type Call, type StorageUnderTest } from '../stores/harness.ts'
import { reportsNothing, type AddedLink } from '../stores/rows.ts'

/** A call of every method that answers a result. */
export function everyCall(
  store: StorageUnderTest,
  make: Samples,
  { secret, folder, note }: AddedLink,
): readonly Call[] {
  const { accountId, id } = secret
  const draft = make.draft(folder)
  const place = { column: 'folder.label', accountId, rowId: folder.id } as const
  const encrypted = { kid: draft.kid, headCiphertext: make.ciphertext(), wrappedKey: note.wrappedKey }
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
    ...callsOfRequests(store, make, accountId),
    ...callsOfIdentities(store, make, accountId),
    ...callsOfPasskeys(store, make, accountId),
    ...callsOfQueue(store, make, accountId),
    () => accounts.insert(make.account(), [make.nameIndex()]),
    () => accounts.findByName([make.nameIndex()]),
    () => accounts.page(undefined, 1),
    () => accounts.disable(accountId, noonMicros),
    () => accounts.release(accountId),
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
    () => secrets.markSeen(accountId, id, 1),
    () => secrets.erase(accountId, id),
    () => drafts.find(accountId, id),
    () => drafts.updateAttempts(accountId, id, (attempts) => ({ attempts })),
    () => drafts.page({ accountId }, undefined, 1),
    () => drafts.answers({ accountId }, undefined, 1),
    () => drafts.countNewAnswers(accountId),
    () =>
      drafts.share({ accountId, id, expectedHeadCiphertext: draft.headCiphertext }, make.link(), encrypted),
    () => drafts.replace(draft.headCiphertext, { ...draft, link: undefined }, note),
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
    () => rewraps.replaceSecret({ secret, wrappedKey: note.wrappedKey }, encrypted),
    () => corruption.eraseSecret({ secret, wrappedKey: note.wrappedKey }, note.note),
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
  { passwords, sessions, usedTokens, invitations, emailChanges, signIns, idempotencyKeys }: StorageUnderTest,
  make: Samples,
  secret: StoredShareableSecret,
): readonly Call[] {
  const { accountId } = secret
  const [password, session, digest] = [make.password(accountId), make.session(accountId), make.tokenDigest()]
  const left = { nowMicros: noonMicros, password, session, sessionDigest: digest }
  const known = { accountId, address: digest, atMicros: noonMicros }
  return [
    () => passwords.find(accountId),
    () => passwords.authenticators(accountId),
    () => passwords.replace(password, { expectedId: password.id, keepSessionId: session.id }),
    () => sessions.insert(session, digest, password.id),
    () => sessions.findByDigest(digest),
    () => sessions.page(accountId, undefined, 1),
    () => sessions.recordReauthentication(session.id, noonMicros),
    () => sessions.rename(accountId, session.id, make.encrypted()),
    () => sessions.erase(accountId, session.id),
    () => sessions.eraseOver({ createdByMicros: 0, lastUsedByMicros: 0 }, 1),
    () => usedTokens.use({ digest, eraseAtMicros: noonMicros }),
    () => usedTokens.eraseOver(noonMicros, 1),
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
