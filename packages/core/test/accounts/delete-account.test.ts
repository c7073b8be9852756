import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import { deleteAccount } from '../../src/accounts/delete-account.ts'
import {
  addWebhook,
  all,
  createWorld,
  email,
  newSecret,
  openTimes,
  shareHeard,
  type World,
} from '../world.ts'

const busy = { code: 'storage_unavailable', reason: 'busy' } as const

t.test('an account is erased with everything that belongs to it, and nobody else’s', async (t) => {
  const world = await filledWorld()
  const { deps, sotto, accountId } = world
  const bob = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const folder = expectOk(await sotto.createFolder({ accountId: bob.id, label: 'Bob’s' }))
  const kept = expectOk(
    await sotto.createSecret({ ...newSecret(world), accountId: bob.id, folderId: folder.id }),
  )
  expectOk(await deleteAccount(deps, { accountId }))
  t.strictSame(rowsOf(world), { accounts: 1, folders: 1, secrets: 1, rest: 0 })
  expectOk(await sotto.openSecret({ token: kept.link.token }))
  t.strictSame(expectErr(await deleteAccount(deps, { accountId })), { code: 'account_not_found' })
  expectOk(await sotto.createAccount({ email }))
})

// Promise (The owner's pages): An account is deleted with everything that belongs to it: also when the deletion is interrupted
t.test('an interrupted erasure closes its links immediately, and the sweep finishes it', async (t) => {
  const world = await filledWorld()
  const { deps, sotto, accountId } = world
  const { link } = expectOk(await sotto.createSecret(newSecret(world)))
  let batches = 0
  const accounts: typeof deps.accounts = {
    ...deps.accounts,
    eraseBegun: (limit) => ((batches += 1) > 1 ? errAsync(busy) : deps.accounts.eraseBegun(limit)),
  }
  expectOk(await deleteAccount({ ...deps, accounts }, { accountId }))
  t.equal(deps.data.secrets.size, 122 - 50, 'in batches of 50')
  t.strictSame(
    expectErr(await sotto.openSecret({ token: link.token })),
    { code: 'link_not_found' },
    'a link whose row is left',
  )
  t.strictSame(await all(sotto.listAccounts()), [])
  expectOk(await sotto.sweepExpired())
  t.strictSame(rowsOf(world), { accounts: 0, folders: 0, secrets: 0, rest: 0 })
  t.equal(deps.data.erasing.size, 0)
})

async function filledWorld(): Promise<World> {
  const world = await createWorld()
  const { sotto } = world
  await addWebhook(world)
  await openTimes(world, await shareHeard(world))
  expectOk(await sotto.distributeEvents())
  expectOk(await sotto.saveDraft(newSecret(world)))
  for (let nr = 0; nr < 119; nr += 1) expectOk(await sotto.createSecret(newSecret(world)))
  return world
}

function rowsOf({ deps: { data } }: World) {
  const { accounts, folders, secrets, webhooks, deliveries } = data
  const rest = webhooks.size + deliveries.size
  return { accounts: accounts.size, folders: folders.size, secrets: secrets.size, rest }
}
