import { storedKeyBytes, type IdempotencyStore } from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStorage, brokenStore, pause, sameBytes, slowly, type Broken } from './broken.ts'

const idempotency = brokenStore('idempotencyKeys')
type Insert = IdempotencyStore['insertSecret']
type Given = Parameters<Insert>

/** Flaws of claiming idempotency keys, and of keeping them. */
export const brokenIdempotency: readonly Broken<StorageHarness>[] = [
  idempotency('finds a claim for every key', ['idempotency-store/unclaimed-key-is-not-found'], (real) => ({
    find: (...asked) =>
      real.find(...asked).map((claimed) => claimed ?? { request: new Uint8Array(32), secretId: '' }),
  })),
  idempotency('says that it erased one', ['idempotency-store/unclaimed-key-is-not-found'], (real) => ({
    eraseOld: (...asked) => real.eraseOld(...asked).map((erased) => Math.max(erased, 1)),
  })),
  brokenStorage('drops the note', ['idempotency-store/first-request-adds-the-secret'], (storage) => ({
    idempotencyKeys: {
      ...storage.idempotencyKeys,
      insertSecret: (secret, note, claim) =>
        storage.idempotencyKeys.insertSecret(secret, { ...note, note: note.wrap }, claim),
    },
  })),
  inserting(
    'mixes up the digests',
    ['idempotency-store/first-request-adds-the-secret'],
    ([secret, note, { digests, ...claim }]) => [
      secret,
      note,
      { ...claim, digests: digests.map(({ key }) => ({ key, request: key })) },
    ],
  ),
  brokenStorage(
    'adds a secret without a claim',
    ['idempotency-store/second-request-adds-nothing'],
    (storage) => ({
      idempotencyKeys: {
        ...storage.idempotencyKeys,
        insertSecret: (secret, note) => storage.secrets.insert(secret, note).map(() => true),
      },
    }),
  ),
  idempotency(
    'lets the last request claim',
    ['idempotency-store/second-request-adds-nothing'],
    (real, data) => ({
      insertSecret: (secret, note, claim) =>
        real.insertSecret(secret, note, claim).map((isFirst) => {
          const [digests] = claim.digests
          if (!isFirst && digests !== undefined)
            data.claims = data.claims.map((row) => ({ ...row, request: digests.request }))
          return isFirst
        }),
    }),
  ),
  inserting(
    'claims under the first digest only',
    ['idempotency-store/any-digest-of-the-key-is-enough'],
    ([secret, note, { digests, ...claim }]) => [secret, note, { ...claim, digests: digests.slice(0, 1) }],
  ),
  idempotency(
    'looks under the first digest only',
    ['idempotency-store/any-digest-of-the-key-is-enough'],
    (real) => ({
      find: (accountId, keys, forgottenByMicros) => real.find(accountId, keys.slice(0, 1), forgottenByMicros),
    }),
  ),
  idempotency('shares keys among accounts', ['idempotency-store/key-belongs-to-one-account'], (_, data) => ({
    find: (_accountId, keys) =>
      okAsync(
        data.claims.find((row) => keys.some((key) => sameBytes(key.slice(0, storedKeyBytes), row.key))),
      ),
  })),
  idempotency(
    'claims before it inserts',
    ['idempotency-store/refused-secret-claims-nothing'],
    (real, data) => ({
      insertSecret: (secret, note, claim) =>
        real.insertSecret(secret, note, claim).mapErr((error) => {
          claimAnyway(data, secret, claim)
          return error
        }),
    }),
  ),
  brokenStorage(
    'looks, then inserts',
    ['idempotency-store/one-of-many-is-the-first', 'idempotency-store/one-of-two-storages-is-the-first'],
    ({ idempotencyKeys, secrets, data }) => ({
      idempotencyKeys: {
        ...idempotencyKeys,
        insertSecret: (...given: Given) =>
          slowly(async () => {
            const [secret, note, { digests, forgottenByMicros }] = given
            const keys = digests.map(({ key }) => key)
            const found = await idempotencyKeys.find(secret.accountId, keys, forgottenByMicros)
            await pause()
            if (found.isOk() && found.value !== undefined) return found.map(() => false)
            return secrets.insert(secret, note).map(() => {
              claimAnyway(data, secret, given[2])
              return true
            })
          }),
      },
    }),
  ),
  idempotency('finds a claim for ever', ['idempotency-store/forgotten-claim-gives-way'], (real) => ({
    find: (accountId, keys) => real.find(accountId, keys, -1),
  })),
  inserting(
    'keeps a claim for ever',
    ['idempotency-store/forgotten-claim-gives-way'],
    ([secret, note, claim]) => [secret, note, { ...claim, forgottenByMicros: -1 }],
  ),
  inserting(
    'forgets a claim too early',
    ['idempotency-store/forgotten-claim-gives-way'],
    ([secret, note, { digests, forgottenByMicros }]) => [
      secret,
      note,
      { digests, forgottenByMicros: forgottenByMicros + 1 },
    ],
  ),
  brokenStorage('erases claims with secrets', ['idempotency-store/claim-outlives-its-secret'], (storage) => ({
    secrets: {
      ...storage.secrets,
      erase(accountId, id) {
        storage.data.claims = storage.data.claims.filter(({ secretId }) => secretId !== id)
        return storage.secrets.erase(accountId, id)
      },
    },
  })),
  idempotency('erases too late', ['idempotency-store/erase-old-takes-the-old'], (real) => ({
    eraseOld: (forgottenByMicros, limit) => real.eraseOld(forgottenByMicros - 1, limit),
  })),
  idempotency('ignores the limit', ['idempotency-store/erase-old-takes-the-old'], (real) => ({
    eraseOld: (forgottenByMicros) => real.eraseOld(forgottenByMicros, 1_000),
  })),
  brokenStorage(
    'keeps claims of erased accounts',
    ['idempotency-store/erased-with-the-account'],
    (storage) => ({
      accounts: {
        ...storage.accounts,
        beginErasure(id) {
          const { claims } = storage.data
          return storage.accounts.beginErasure(id).map((isBegun) => {
            storage.data.claims = claims
            return isBegun
          })
        },
      },
    }),
  ),
  {
    flaw: 'forgets claims when it is closed',
    breaks: ['idempotency-store/claims-are-durable'],
    harness: memoryStorageHarness({ reopened: (data) => ({ ...data, claims: [] }) }),
  },
  {
    flaw: 'does not see the claims of others',
    breaks: ['idempotency-store/one-of-two-storages-is-the-first'],
    harness: memoryStorageHarness({ beside: (data) => ({ ...data, claims: [] }) }),
  },
]

/** A store that inserts with something else than it was given. */
function inserting(
  flaw: string,
  breaks: readonly string[],
  change: (given: Given) => Given,
): Broken<StorageHarness> {
  return idempotency(flaw, breaks, (real) => ({
    insertSecret: (...given: Given) => real.insertSecret(...change(given)),
  }))
}

function claimAnyway(data: MemoryData, secret: Given[0], { digests }: Given[2]): void {
  const { accountId, id: secretId, createdAtMicros: claimedAtMicros } = secret
  data.claims = [
    ...data.claims,
    ...digests.map(({ key, request }) => ({
      key: key.slice(0, storedKeyBytes),
      request,
      accountId,
      secretId,
      claimedAtMicros,
    })),
  ]
}
