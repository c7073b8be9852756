import { createMemoryPorts, createSamples, expectOk } from '@sotto/test-kit'
import { rememberOwners } from '@sotto/storage-sql'
import { okAsync } from 'neverthrow'
import t from 'tap'

const make = createSamples(1)

/** Stores with a folder, how often they were asked for its owner, and a time that the test sets. */
async function createOwned() {
  const { accounts, folders } = createMemoryPorts()
  const account = make.account()
  expectOk(await accounts.insert(account, [make.nameIndex()]))
  const folder = make.folder(account.id)
  expectOk(await folders.insert(folder))
  const asked = { times: 0, millis: 0 }
  const counted = {
    ...folders,
    owns: (...given: Parameters<typeof folders.owns>) => {
      asked.times += 1
      return folders.owns(...given)
    },
  }
  const stores = rememberOwners({ accounts, folders: counted }, () => asked.millis)
  const owns = async (accountId = account.id) => expectOk(await stores.folders.owns(accountId, folder.id))
  return { ...stores, asked, account, folder, owns, stored: folders }
}

t.test('that a folder is owned is asked once a second, that it is not each time', async (t) => {
  const { asked, owns } = await createOwned()
  const other = make.uuid()
  for (let time = 0; time < 3; time += 1) t.strictSame([await owns(), await owns(other)], [true, false])
  t.equal(asked.times, 4)
  asked.millis = 999
  await owns()
  t.equal(asked.times, 4)
  asked.millis = 1_000
  await owns()
  t.equal(asked.times, 5)
})

t.test('once a folder, or what an account has left, is erased, owners are asked for again', async (t) => {
  const { accounts, folders, asked, account, folder, owns } = await createOwned()
  await owns()
  expectOk(await accounts.eraseBegun(10))
  t.equal(await owns(), true)
  t.equal(asked.times, 2)
  t.equal(expectOk(await folders.erase(account.id, folder.id, 0)), true)
  t.equal(await owns(), false)
})

t.test('an answer from before the erasure of a folder is not remembered', async (t) => {
  const { folders, account, folder, owns } = await createOwned()
  const early = owns()
  const erased = folders.erase(account.id, folder.id, 0)
  t.equal(expectOk(await erased), true)
  await early
  t.equal(await owns(), false)
})

t.test('after a thousand folders all are forgotten', async (t) => {
  const { accounts, folders } = createMemoryPorts()
  let times = 0
  const owns = () => {
    times += 1
    return okAsync(true)
  }
  const remembered = rememberOwners({ accounts, folders: { ...folders, owns } }, () => 0)
  const ask = async (nr: number) => expectOk(await remembered.folders.owns('account', `folder ${nr}`))
  for (let nr = 0; nr < 1_000; nr += 1) await ask(nr)
  await ask(0)
  t.equal(times, 1_001, 'the first one is asked again')
  for (let nr = 0; nr < 999; nr += 1) await ask(nr)
  t.equal(times, 1_999)
})

t.test('nothing is remembered once the stores are closed', async (t) => {
  const { asked, forget, owns } = await createOwned()
  await owns()
  forget()
  await owns()
  t.equal(asked.times, 2)
})
