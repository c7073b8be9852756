import {
  accessTokenStoreContract,
  accountStoreContract,
  besideMemory,
  createMemoryStorage,
  draftStoreContract,
  emailChangeStoreContract,
  folderStoreContract,
  idempotencyStoreContract,
  keyStoreContract,
  linkStoreContract,
  corruptionStoreContract,
  deliveryStoreContract,
  outboxStoreContract,
  identityStoreContract,
  passkeyStoreContract,
  passwordStoreContract,
  requestStoreContract,
  rewrapStoreContract,
  secretFileStoreContract,
  secretStoreContract,
  sessionStoreContract,
  signInStoreContract,
  skipReason,
  storageContract,
  webhookStoreContract,
  invitationStoreContract,
  type MemoryStorage,
  type StorageCase,
  type StorageHarness,
  type StoresUnderTest,
} from '@sotto/test-kit'
import t from 'tap'
import { neededIn } from '../broken/needed-stores.ts'
import { memoryStorageHarness } from '../harnesses.ts'

// Those of the servers, and of what counts once, have no rows that another store sees.
const contracts = {
  accounts: accountStoreContract,
  folders: folderStoreContract,
  secrets: secretStoreContract,
  drafts: draftStoreContract,
  idempotencyKeys: idempotencyStoreContract,
  links: linkStoreContract,
  secretFiles: secretFileStoreContract,
  requests: requestStoreContract,
  outbox: outboxStoreContract,
  deliveries: deliveryStoreContract,
  webhooks: webhookStoreContract,
  accessTokens: accessTokenStoreContract,
  passwords: passwordStoreContract,
  identities: identityStoreContract,
  passkeys: passkeyStoreContract,
  sessions: sessionStoreContract,
  invitations: invitationStoreContract,
  emailChanges: emailChangeStoreContract,
  signIns: signInStoreContract,
  keys: keyStoreContract,
  rewraps: rewrapStoreContract,
  corruption: corruptionStoreContract,
}

type StoreName = keyof typeof contracts

/** Few, because every store has its own. */
const histories = { runs: 3 }

const stores = Object.keys(contracts) as readonly StoreName[]

for (const name of stores) {
  t.test(
    `${name} alone beside memory stores: no case fails but those that ask for other stores`,
    async (t) => {
      const harness = someStores([name], ['reopen', 'beside'])
      t.strictSame(
        (await failuresOf(harness)).filter((id) => !asksForStores(id)),
        [],
      )
      const [refusal] = (await failuresOf(harness, contracts[name])).filter(asksForStores)
      t.ok(refusal, 'its contract refuses it')
      const [all, own] = [skippedBy(harness, storageContract), skippedBy(harness, contracts[name])]
      t.comment(
        `skipped: ${all.length} of ${storageContract.length} cases of a storage, ${own.length} of ${contracts[name].length} of this store`,
      )
      t.ok(own.length < contracts[name].length, 'some cases of its own contract are run')
    },
  )
}

for (const name of stores) {
  const contract = contracts[name]
  const needed = neededIn(contract.find(({ id }) => asksForStores(id))?.rule ?? '') as readonly StoreName[]

  t.test(`${name} with the stores that its contract names passes it, and nothing is skipped`, async (t) => {
    const harness = someStores([name, ...needed], ['together', 'reopen', 'beside'])
    t.strictSame(skippedBy(harness, contract), [])
    t.strictSame(await failuresOf(harness, contract), [])
  })

  t.test(
    `the contract of ${name} names exactly the stores that its cases of several stores use`,
    async (t) => {
      // Or for an account that is not there.
      const used = new Set<string>(['accounts'])
      const watching = { ...memoryStorageHarness({ change: (storage) => watched(storage, used) }), histories }
      for (const each of contract)
        if (each.needs?.includes('together') === true || isHistory(each)) await each.run(watching)
      t.strictSame([...used].toSorted(), [name, ...needed].toSorted())
    },
  )
}

/** A storage that remembers which of its stores are used. */
function watched(storage: MemoryStorage, used: Set<string>): MemoryStorage {
  const watchedStores = stores.map((name) => {
    const get = (store: object, method: string | symbol): unknown => {
      used.add(name)
      return Reflect.get(store, method)
    }
    return [name, new Proxy(storage[name], { get })]
  })
  return { ...storage, ...(Object.fromEntries(watchedStores) as Partial<MemoryStorage>) }
}

t.test('no case is skipped needlessly: without `needs` it fails with some store alone', async (t) => {
  const alone = stores.map((name) => someStores([name], ['together', 'reopen', 'beside']))
  const skipped = skippedBy(someStores(['accounts'], ['reopen', 'beside']), storageContract)
  t.ok(skipped.length > 0)
  for (const each of storageContract.filter(({ id }) => skipped.includes(id))) {
    let fails = false
    for (const harness of alone) fails ||= (await failuresOf(harness, [each])).length > 0
    t.ok(fails, each.id)
  }
})

t.test('with all stores of one storage no case is skipped, and none fails', async (t) => {
  const whole = memoryStorageHarness()
  const harness = { ...besideMemory(whole.open, whole.supports), histories }
  t.strictSame(skippedBy(harness, storageContract), [])
  t.strictSame(await failuresOf(harness), [])
})

t.test('a broken store alone is noticed', async (t) => {
  const open = async () => {
    const { accounts, close } = createMemoryStorage({ trustReferences: true })
    return { accounts: { ...accounts, findByName: () => accounts.findByName([]) }, dispose: close }
  }
  const harness = besideMemory(open)
  const own = await failuresOf(harness, accountStoreContract)
  t.ok(own.includes('account-store/answers-as-the-memory-storage'))
  const failures = await failuresOf({ ...harness, histories })
  t.ok(
    failures.every((id) => id.startsWith('account-store/') || asksForStores(id)),
    'in its own contract only',
  )
})

/** The cases that fail although the harness supports what they need. */
async function failuresOf(harness: StorageHarness, contract = storageContract): Promise<readonly string[]> {
  const failures: string[] = []
  for (const each of contract) {
    if (skipReason(harness, each) !== false) continue
    await each.run(harness).catch(() => failures.push(each.id))
  }
  return failures
}

function skippedBy(harness: StorageHarness, contract: readonly StorageCase[]): readonly string[] {
  return contract.filter((each) => skipReason(harness, each) !== false).map(({ id }) => id)
}

/** Calls of several stores, where the harness supports that. */
function isHistory({ id }: StorageCase): boolean {
  return id.endsWith('/answers-as-the-memory-storage')
}

function asksForStores(id: string): boolean {
  return id.endsWith('/has-the-stores-it-needs')
}

/** Some stores of one storage. A single one accepts references that it cannot check. */
function someStores(names: readonly StoreName[], supports: StorageHarness['supports']): StorageHarness {
  const trustReferences = names.length === 1
  const underTest = (storage: MemoryStorage): StoresUnderTest => {
    const again = () => createMemoryStorage({ data: storage.data, trustReferences })
    return {
      ...Object.fromEntries(names.map((name) => [name, storage[name]])),
      dispose: () => storage.close(),
      async reopen() {
        await storage.close()
        return underTest(again())
      },
      beside: async () => underTest(again()),
    }
  }
  const harness = besideMemory(async () => underTest(createMemoryStorage({ trustReferences })), supports)
  return { ...harness, histories }
}
