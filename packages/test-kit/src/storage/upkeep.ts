import { addFiles } from '../files/file-rows.ts'
import assert from 'node:assert/strict'
import { casesOf, caseOf, caseOfTwo } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same, spelled } from '../contract/compare.ts'
import { addEmailChange, addInvitation, spending } from '../stores/one-time-rows.ts'
import {
  besideCase,
  reopenCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { addRequest } from '../requests/request-rows.ts'
import { addFolder, addLink, addSecrets, reportsNothing } from '../stores/rows.ts'

/** Later than every key of the cases was made. */
const laterMicros = noonMicros + 3_600_000_000

const ownCases: readonly StorageCase[] = casesOf({
  'upkeep/can-write': storageCase({
    rule: 'canWrite answers Ok on an open storage and changes no row.',
    async check(store, make) {
      const { upkeep, accounts, deliveries } = store
      for (let time = 0; time < 2; time += 1) expectOk(await upkeep.canWrite())
      same(expectOk(await accounts.page(undefined, 10)), [], 'before there is a key')
      await addLink(store, make)
      const before = expectOk(await upkeep.countRows())
      for (let time = 0; time < 2; time += 1) expectOk(await upkeep.canWrite())
      same(expectOk(await upkeep.countRows()), before)
      same(expectOk(await deliveries.state()).events, 0)
      same(expectOk(await upkeep.lastSweep()), undefined)
    },
  }),
  'upkeep/last-write-of-a-fresh-storage': caseOf({
    rule: 'lastWrite answers undefined while there is no row.',
    async check({ upkeep }: StorageUnderTest) {
      same(expectOk(await upkeep.lastWrite()), undefined)
    },
  }),
  'upkeep/last-write-is-the-latest-time': storageCase({
    rule: 'lastWrite answers the latest time of a row. It is the creation of an account, a folder, a secret, a link, a token, a password, a one-time link, a change of the email address, a webhook or a request, a use of a session, or a sweep.',
    needs: ['together'],
    async check(store, make) {
      const lastWrite = async () => expectOk(await store.upkeep.lastWrite())
      const account = make.account({ createdAtMicros: laterMicros })
      expectOk(await store.accounts.insert(account, [make.nameIndex()]))
      same(await lastWrite(), laterMicros, 'after an account')
      const folder = make.folder(account.id, { createdAtMicros: laterMicros + 1 })
      expectOk(await store.folders.insert(folder))
      same(await lastWrite(), laterMicros + 1, 'after a folder')
      await addSecrets(store, make, [make.draft(folder, { createdAtMicros: laterMicros + 2 })])
      same(await lastWrite(), laterMicros + 2, 'after a draft')
      await addSecrets(store, make, [make.secret(folder, laterMicros + 3)])
      same(await lastWrite(), laterMicros + 3, 'after a link')
      const token = make.accessToken(account.id, { createdAtMicros: laterMicros + 4 })
      expectOk(await store.accessTokens.insert(token, make.tokenDigest()))
      same(await lastWrite(), laterMicros + 4, 'after a token')
      const { digest } = await addInvitation(store, make, account.id, { createdAtMicros: laterMicros + 5 })
      same(await lastWrite(), laterMicros + 5, 'after a one-time link')
      const left = spending(make, account.id, { createdAtMicros: laterMicros + 6 })
      expectOk(await store.invitations.spend(digest, left))
      same(await lastWrite(), laterMicros + 6, 'after a password')
      const session = make.session(account.id, { lastUsedAtMicros: laterMicros + 7 })
      expectOk(await store.sessions.insert(session, make.tokenDigest(), left.password.id))
      same(await lastWrite(), laterMicros + 7, 'after a session')
      expectOk(await store.webhooks.insert(make.webhook(account.id, { createdAtMicros: laterMicros + 8 }), 5))
      same(await lastWrite(), laterMicros + 8, 'after a webhook')
      await addEmailChange(store, make, account.id, { createdAtMicros: laterMicros + 9 })
      same(await lastWrite(), laterMicros + 9, 'after a change of the email address')
      await addRequest(store, make, { createdAtMicros: laterMicros + 10 }, folder)
      same(await lastWrite(), laterMicros + 10, 'after a request')
      expectOk(await store.upkeep.recordSweep(laterMicros + 11))
      same(await lastWrite(), laterMicros + 11, 'after a sweep')
      await addSecrets(store, make, [make.draft(folder)])
      same(await lastWrite(), laterMicros + 11, 'after a row with an earlier time')
    },
  }),
  'upkeep/oldest-expiry-is-the-earliest': storageCase({
    rule: 'oldestExpiry answers the earliest expiry of a secret, and undefined while there are only drafts.',
    needs: ['together'],
    async check(store, make) {
      const oldest = async () => expectOk(await store.upkeep.oldestExpiry())
      const folder = await addFolder(store, make)
      await addSecrets(store, make, [make.draft(folder)])
      same(await oldest(), undefined, 'with a draft')
      const [late, early] = [make.secret(folder, laterMicros), make.secret(folder, noonMicros)]
      await addSecrets(store, make, [late])
      same(await oldest(), late.link.expiresAtMicros, 'with one secret')
      await addSecrets(store, make, [early])
      same(await oldest(), early.link.expiresAtMicros, 'with two')
      expectOk(await store.secrets.eraseExpired(early.link.expiresAtMicros, 10, reportsNothing))
      same(await oldest(), late.link.expiresAtMicros, 'after the earlier one was erased')
    },
  }),
  'upkeep/counts-rows': storageCase({
    rule: 'countRows answers how many accounts, folders, drafts, shareable secrets, requests and files there are, expired ones included, and the bytes of all files.',
    needs: ['together'],
    async check(store, make) {
      const none = { accounts: 0, folders: 0, drafts: 0, secrets: 0, requests: 0, files: 0, fileBytes: 0 }
      same(expectOk(await store.upkeep.countRows()), none, 'of a fresh storage')
      const folder = await addFolder(store, make)
      await addFolder(store, make)
      await addSecrets(store, make, [make.draft(folder), make.draft(folder), make.draft(folder)])
      await addSecrets(store, make, [make.secret(folder, 0), make.secret(folder, noonMicros)])
      await addRequest(store, make, { closesAtMicros: 1 }, folder)
      await addFiles(store, make)
      await addFiles(store, make, folder)
      const counts = {
        accounts: 3,
        folders: 3,
        drafts: 3,
        secrets: 4,
        requests: 1,
        files: 4,
        fileBytes: 2_000,
      }
      same(expectOk(await store.upkeep.countRows()), counts, 'after some were added')
    },
  }),
  'upkeep/examine-finds-nothing-wrong': storageCase({
    rule: 'examine of a sound storage gives findings, each with a check and a text, and none of them is a problem.',
    async check(store, make) {
      await addLink(store, make)
      const findings = await store.upkeep.examine()
      assert.ok(findings.length > 0, 'there is no finding')
      for (const { check, ok: isOk, text } of findings) {
        assert.ok(check !== '' && text !== '', 'a finding has no check or no text')
        assert.notEqual(isOk, false, `${check}: ${text}`)
      }
    },
  }),
  'erasure/finish-removes-what-was-erased': storageCase({
    rule: 'On an open storage finish answers true, and then pendingForMillis is undefined: no erased data is left in a file.',
    async check(store, make) {
      await addSecrets(store, make, [make.secret(await addFolder(store, make), 0)])
      same(expectOk(await store.secrets.eraseExpired(noonMicros, 10, reportsNothing)), 1)
      for (let time = 0; time < 2; time += 1) {
        same(store.erasure.finish(), true, 'whether it is finished')
        same(store.erasure.pendingForMillis(), undefined, 'for how long erased data may have been present')
      }
    },
  }),
  'instance-id/is-random': caseOfTwo({
    rule: 'The instance id has 32 bytes and differs between storages.',
    check(one: StorageUnderTest, other: StorageUnderTest) {
      for (const { instanceId } of [one, other]) same(instanceId.length, 32)
      assert.notEqual(spelled(one.instanceId), spelled(other.instanceId), 'two storages have the same id')
      const distinct = new Set([...one.instanceId, ...other.instanceId]).size
      assert.ok(distinct > 16, `the ids have only ${distinct} different bytes`)
    },
  }),
  'instance-id/is-the-same-beside': besideCase({
    rule: 'Storages on the same data have the same instance id.',
    check(store, beside) {
      same(beside.instanceId, store.instanceId)
    },
  }),
  'instance-id/never-changes': reopenCase({
    rule: 'The instance id is the same after reopening.',
    async before(store, make) {
      await addLink(store, make)
      return store.instanceId
    },
    after(store, instanceId) {
      same(store.instanceId, instanceId)
    },
  }),
})

/** The cases of upkeep, erasure and instance id. */
export const upkeepCases: readonly StorageCase[] = [
  neededStoresCase('upkeep', 'upkeep', [
    'accounts',
    'keys',
    'folders',
    'secrets',
    'accessTokens',
    'sessions',
    'invitations',
    'webhooks',
  ]),
  ...ownCases,
]
