import { createFakeCipher, createMemoryStorage, createSamples, failing } from '@sotto/test-kit'
import t from 'tap'

const busy = { code: 'storage_unavailable', reason: 'busy' } as const
const make = createSamples(1)

t.test('a method that is to fail does nothing and answers with the error, each time', async (t) => {
  const { accounts } = createMemoryStorage()
  const broken = failing(accounts, { insert: busy })
  for (let time = 0; time < 3; time += 1) {
    const answer = await broken.insert(make.account(), [make.emailIndex()])
    t.strictSame(answer._unsafeUnwrapErr(), busy)
  }
  t.strictSame((await accounts.slice(undefined, 10))._unsafeUnwrap(), [])
})

t.test('other methods work, and the port itself is as it was', async (t) => {
  const { accounts } = createMemoryStorage()
  const broken = failing(accounts, { insert: busy })
  const [account, index] = [make.account(), make.emailIndex()]
  t.ok((await accounts.insert(account, [index])).isOk())
  t.strictSame((await broken.findByEmail([index]))._unsafeUnwrap(), account)
})

t.test('each named method fails as often as it is told, then works', async (t) => {
  const { accounts } = createMemoryStorage()
  const broken = failing(accounts, { insert: busy, slice: busy }, { times: 2 })
  const answers = []
  for (let time = 0; time < 3; time += 1)
    answers.push(await broken.insert(make.account(), [make.emailIndex()]))
  t.strictSame(
    answers.map((answer) => answer.isOk()),
    [false, false, true],
  )
  t.strictSame((await broken.slice(undefined, 10))._unsafeUnwrapErr(), busy)
})

t.test('a cipher can be made busy', async (t) => {
  const { secretCipher } = createFakeCipher()
  const broken = failing(secretCipher, { encryptSecret: { code: 'cipher_busy' } })
  const folder = make.folder(make.uuid())
  const plain = {
    row: make.draft(folder),
    head: { label: 'a label', linkToken: undefined },
    note: 'a note',
    password: undefined,
  }
  t.strictSame((await broken.encryptSecret(plain))._unsafeUnwrapErr(), { code: 'cipher_busy' })
})
