import {
  accessTokenStoreContract,
  accountStoreContract,
  besideMemory,
  createMemoryStorage,
  draftStoreContract,
  folderStoreContract,
  idempotencyStoreContract,
  keyStoreContract,
  linkStoreContract,
  damageStoreContract,
  deliveryStoreContract,
  outboxStoreContract,
  passwordStoreContract,
  rewrapStoreContract,
  secretStoreContract,
  sessionStoreContract,
  signInStoreContract,
  skipReason,
  storageContract,
  webhookStoreContract,
  welcomeStoreContract,
  type MemoryStorage,
  type StorageCase,
  type StorageHarness,
  type StoresUnderTest,
} from '@sotto/test-kit'
import t from 'tap'
import { memoryStorageHarness } from '../../harnesses.ts'

const contracts = {
  accounts: accountStoreContract,
  folders: folderStoreContract,
  secrets: secretStoreContract,
  drafts: draftStoreContract,
  idempotencyKeys: idempotencyStoreContract,
  links: linkStoreContract,
  outbox: outboxStoreContract,
  deliveries: deliveryStoreContract,
  webhooks: webhookStoreContract,
  accessTokens: accessTokenStoreContract,
  passwords: passwordStoreContract,
  sessions: sessionStoreContract,
  welcomes: welcomeStoreContract,
  signIns: signInStoreContract,
  keys: keyStoreContract,
  rewraps: rewrapStoreContract,
  damage: damageStoreContract,
}

type StoreName = keyof typeof contracts

const stores = Object.keys(contracts) as readonly StoreName[]

for (const name of stores) {
  t.test(`${name} alone beside memory stores: no case fails that is not skipped`, async (t) => {
    const harness = oneStore(name, ['reopen', 'beside'])
    t.strictSame(await failuresOf(harness), [])
    const [all, own] = [skippedBy(harness, storageContract), skippedBy(harness, contracts[name])]
    t.comment(
      `skipped: ${all.length} of ${storageContract.length} cases of a storage, ${own.length} of ${contracts[name].length} of this store`,
    )
    t.ok(own.length < contracts[name].length, 'some cases of its own contract are run')
  })
}

t.test('no case is skipped needlessly: without `needs` it fails with some store alone', async (t) => {
  const failing = new Set<string>()
  for (const name of stores) {
    for (const id of await failuresOf(oneStore(name, ['together', 'reopen', 'beside']))) failing.add(id)
  }
  const skipped = skippedBy(oneStore('accounts', ['reopen', 'beside']), storageContract)
  t.strictSame(
    skipped.filter((id) => !failing.has(id)),
    [],
  )
})

t.test('with all stores of one storage no case is skipped, and none fails', async (t) => {
  const whole = memoryStorageHarness()
  const harness = besideMemory(whole.open, whole.supports)
  t.strictSame(skippedBy(harness, storageContract), [])
  t.strictSame(await failuresOf(harness), [])
})

t.test('a broken store alone is noticed', async (t) => {
  const harness = besideMemory(async () => {
    const { accounts, close } = createMemoryStorage({ trustReferences: true })
    return { accounts: { ...accounts, findByName: () => accounts.findByName([]) }, dispose: close }
  })
  const failures = await failuresOf(harness)
  t.ok(failures.includes('account-store/insert-is-found-again'))
  t.ok(
    failures.every((id) => id.startsWith('account-store/')),
    'in its own contract only',
  )
})

/** The cases that fail although the harness supports what they need. */
async function failuresOf(harness: StorageHarness): Promise<readonly string[]> {
  const failures: string[] = []
  for (const each of storageContract) {
    if (skipReason(harness, each) !== false) continue
    await each.run(harness).catch(() => failures.push(each.id))
  }
  return failures
}

function skippedBy(harness: StorageHarness, contract: readonly StorageCase[]): readonly string[] {
  return contract.filter((each) => skipReason(harness, each) !== false).map(({ id }) => id)
}

/** A single store, which accepts references that it cannot check. */
function oneStore(name: StoreName, supports: StorageHarness['supports']): StorageHarness {
  const underTest = (storage: MemoryStorage): StoresUnderTest => {
    const again = () => createMemoryStorage({ data: storage.data, trustReferences: true })
    return {
      [name]: storage[name],
      dispose: () => storage.close(),
      async reopen() {
        await storage.close()
        return underTest(again())
      },
      beside: async () => underTest(again()),
    }
  }
  return besideMemory(async () => underTest(createMemoryStorage({ trustReferences: true })), supports)
}
