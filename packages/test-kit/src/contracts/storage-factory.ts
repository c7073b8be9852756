import { nilUuid } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import { createSamples, noonMicros, type Samples } from '../samples.ts'
import { failsWith, okOf, same } from './expect.ts'
import { addLink } from './link-store.ts'
import {
  besideCase,
  kids,
  openWithKeys,
  sampleKey,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from './storage-harness.ts'

/** Cases of the harness itself, first: when one of them fails, nothing that follows means anything. */
export const factoryCases: readonly StorageCase[] = [
  storageCase({
    id: 'storage/opens-empty',
    rule: 'A storage that was just opened holds nothing.',
    async check(store, make) {
      same(await okOf(store.accounts.slice(undefined, 10)), [])
      await holdsNothingOf(store, make, nilUuid)
      same(await okOf(store.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 10)), 0)
    },
  }),
  {
    id: 'storage/opens-apart',
    rule: 'Two storages that are open at once share nothing.',
    async run(harness) {
      const [one, other] = [await openWithKeys(harness), await openWithKeys(harness)]
      try {
        const make = createSamples(kids.writable)
        const { secret } = await addLink(one, make)
        same(await okOf(other.accounts.slice(undefined, 10)), [])
        await holdsNothingOf(other, make, secret.accountId)
        same(await okOf(other.links.find(secret.link.lookup)), undefined)
        same(await okOf(other.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 10)), 0)
      } finally {
        await Promise.all([one.dispose(), other.dispose()])
      }
    },
  },
  {
    id: 'storage/opens-empty-again',
    rule: 'A storage leaves nothing behind for the next one.',
    async run(harness) {
      const first = await openWithKeys(harness)
      const make = createSamples(kids.writable)
      await addLink(first, make)
      await first.dispose()
      const second = await harness.open()
      try {
        same(await okOf(second.accounts.slice(undefined, 10)), [])
      } finally {
        await second.dispose()
      }
    },
  },
  {
    id: 'storage/offers-what-it-declares',
    rule: 'The methods that belong to a capability are there exactly if the harness declares it.',
    async run(harness) {
      const store = await harness.open()
      try {
        for (const capability of ['reopen', 'beside'] as const) {
          same(typeof store[capability] === 'function', harness.supports.includes(capability), capability)
        }
      } finally {
        await store.dispose()
      }
    },
  },
  {
    id: 'storage/closed-storage-answers',
    rule: 'After it was closed every method answers with a storage error: none throws, rejects or hangs.',
    async run(harness) {
      const store = await openWithKeys(harness)
      const make = createSamples(kids.writable)
      const { secret, folder, note } = await addLink(store, make)
      await store.dispose()
      const account = make.account()
      const draft = make.draft(folder)
      const { accountId, id } = secret
      const { accounts, folders, secrets, drafts, links, accessTokens, keys: keyStore, rewraps } = store
      const place = { column: 'folder.label', accountId, rowId: folder.id } as const
      const keys = { kid: draft.kid, head: make.ciphertext(), wrap: note.wrap }
      await isRefused(() => accounts.insert(account, [make.emailIndex()]))
      await isRefused(() => accounts.findByEmail([make.emailIndex()]))
      await isRefused(() => accounts.slice(undefined, 1))
      await isRefused(() => accounts.disable(accountId, noonMicros))
      await isRefused(() => folders.insert(make.folder(accountId)))
      await isRefused(() => folders.owns(accountId, folder.id))
      await isRefused(() => folders.slice(accountId, noonMicros, undefined, 1))
      await isRefused(() => secrets.insert(draft, note))
      await isRefused(() => secrets.find(accountId, id))
      await isRefused(() => secrets.slice(accountId, noonMicros, undefined, 1))
      await isRefused(() => secrets.eraseExpired(noonMicros, 1))
      await isRefused(() => drafts.find(accountId, id))
      await isRefused(() => drafts.slice(accountId, undefined, 1))
      await isRefused(() => drafts.share({ accountId, id, expectedHead: draft.head }, make.link(), keys))
      await isRefused(() => drafts.erase(accountId, id))
      await isRefused(() => links.find(secret.link.lookup))
      await isRefused(() => links.findWithNote(secret.link.lookup))
      await isRefused(() => links.update(secret.link.lookup, undefined, () => ok({ opens: 1 })))
      await isRefused(() => accessTokens.insert(make.accessToken(accountId), make.tokenHash()))
      await isRefused(() => accessTokens.findByHash(make.tokenHash()))
      await isRefused(() => accessTokens.slice(accountId, undefined, 1))
      await isRefused(() => accessTokens.revoke(accountId, id, noonMicros))
      accessTokens.noteUse(id, noonMicros)
      await isRefused(() => keyStore.list())
      await isRefused(() => keyStore.add(sampleKey(kids.unknown)))
      await isRefused(() => keyStore.retire(kids.spare))
      await isRefused(() => rewraps.texts('folder.label', kids.spare, undefined, 1))
      await isRefused(() =>
        rewraps.replaceText({ place, encrypted: folder.label }, make.encrypted(), undefined),
      )
      await isRefused(() => rewraps.secrets(kids.spare, undefined, 1))
      await isRefused(() => rewraps.replaceSecret({ secret, wrap: note.wrap }, keys))
    },
  },
]

/** Cases of several storages on the same data. */
export const besideCases: readonly StorageCase[] = [
  besideCase({
    id: 'storage/writes-are-seen-beside',
    rule: 'What one storage has answered with Ok the other one on the same data finds at once.',
    async check(store, beside, make) {
      const { secret, note, folder } = await addLink(store, make)
      same(await okOf(beside.secrets.find(secret.accountId, secret.id)), secret)
      await okOf(beside.links.update(secret.link.lookup, undefined, () => ok({ opens: 1 })))
      const behind = await okOf(store.links.findWithNote(secret.link.lookup))
      same({ opens: behind?.state.opens, note: behind?.note }, { opens: 1, note })
      const second = make.secret(folder, noonMicros + 1)
      await okOf(beside.secrets.insert(second, note))
      same(await okOf(store.secrets.slice(secret.accountId, noonMicros, undefined, 10)), [second, secret])
    },
  }),
  besideCase({
    id: 'key-store/keys-are-known-beside',
    rule: 'A key that one storage adds or retires the other one on the same data admits or refuses at once.',
    async check(store, beside, make) {
      const accountUnder = (kid: number) => make.account({ email: { kid, ciphertext: make.ciphertext() } })
      const insert = (kid: number) => beside.accounts.insert(accountUnder(kid), [make.emailIndex()])
      await failsWith(insert(kids.unknown), 'key_retired')
      await okOf(store.keys.add(sampleKey(kids.unknown)))
      await okOf(insert(kids.unknown), 'writing under a key that was added beside')
      await okOf(store.keys.retire(kids.spare))
      await failsWith(insert(kids.spare), 'key_retired')
      await failsWith(store.keys.retire(kids.unknown), 'key_in_use')
    },
  }),
  besideCase({
    id: 'account-store/one-of-inserts-from-two-storages-wins',
    rule: 'Of several adds of one email by two storages on the same data at once exactly one succeeds.',
    async check(store, beside, make) {
      const index = make.emailIndex()
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          (at % 2 === 0 ? store : beside).accounts.insert(make.account(), [index]),
        ),
      )
      same(answers.filter((answer) => answer.isOk()).length, 1, 'how many succeeded')
      same((await okOf(store.accounts.slice(undefined, 20))).length, 1, 'how many are kept')
    },
  }),
]

async function holdsNothingOf(store: StorageUnderTest, make: Samples, accountId: string): Promise<void> {
  same(await okOf(store.accounts.findByEmail([make.emailIndex()])), undefined)
  same(await okOf(store.folders.slice(accountId, 0, undefined, 10)), [])
  same(await okOf(store.secrets.slice(accountId, 0, undefined, 10)), [])
  same(await okOf(store.drafts.slice(accountId, undefined, 10)), [])
  same(await okOf(store.accessTokens.slice(accountId, undefined, 10)), [])
}

async function isRefused<T, E extends { readonly code: string }>(
  call: () => ResultAsync<T, E>,
): Promise<void> {
  await failsWith(call(), 'storage_unavailable', 'storage_failed')
}
