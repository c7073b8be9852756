import {
  createFakeCipher,
  createMemoryStorage,
  createSamples,
  expectErr,
  expectOk,
  failing,
} from '@sotto/test-kit'
import t from 'tap'

const busy = { code: 'storage_unavailable', reason: 'busy' } as const
const make = createSamples(1)

t.test('a named method does nothing and answers the error, each time', async (t) => {
  const { accounts } = createMemoryStorage()
  const broken = failing(accounts, { insert: busy })
  for (let time = 0; time < 3; time += 1) {
    t.strictSame(expectErr(await broken.insert(make.account(), [make.nameIndex()])), busy)
  }
  t.strictSame(expectOk(await accounts.page(undefined, 10)), [])
})

t.test('other methods work, and the port itself is not changed', async (t) => {
  const { accounts } = createMemoryStorage()
  const broken = failing(accounts, { insert: busy })
  const [account, index] = [make.account(), make.nameIndex()]
  expectOk(await accounts.insert(account, [index]))
  t.strictSame(expectOk(await broken.findByName([index])), account)
})

t.test('with `times` each named method fails that many times and then works', async (t) => {
  const { accounts } = createMemoryStorage()
  const broken = failing(accounts, { insert: busy, page: busy }, { times: 2 })
  const results = []
  for (let time = 0; time < 3; time += 1) {
    results.push(await broken.insert(make.account(), [make.nameIndex()]))
  }
  t.strictSame(
    results.map((result) => result.isOk()),
    [false, false, true],
  )
  t.strictSame(expectErr(await broken.page(undefined, 10)), busy)
})

t.test('a cipher can be made busy', async (t) => {
  const { secretCipher } = createFakeCipher()
  const broken = failing(secretCipher, { encryptSecret: { code: 'hasher_busy' } })
  const row = make.draft(make.folder(make.uuid()))
  const head = { label: 'a label', linkToken: undefined }
  const result = await broken.encryptSecret({ row, head, note: 'a note', password: undefined })
  t.strictSame(expectErr(result), { code: 'hasher_busy' })
})
