import { createFullSotto } from '@sotto/identity'
import { createMemoryPorts, expectOk } from '@sotto/test-kit'
import t from 'tap'

t.test('a whole Sotto runs on memory ports', async (t) => {
  const ports = createMemoryPorts()
  const sotto = createFullSotto({ ports })
  const account = expectOk(await sotto.createAccount({ email: 'ada@example.org' }))
  t.equal(account.createdAtMicros, ports.clock.nowMicros())
  ports.clock.advance(1_000_000)
  const other = expectOk(await sotto.ensureAccount({ externalId: 'user-7' }))
  t.equal(other.createdAtMicros, account.createdAtMicros + 1_000_000)
})

t.test('the same seed gives the same ids, another one others', async (t) => {
  const idOf = async (seed: number) => {
    const sotto = createFullSotto({ ports: createMemoryPorts({ seed }) })
    return expectOk(await sotto.createAccount({ email: 'ada@example.org' })).id
  }
  t.equal(await idOf(1), await idOf(1))
  t.not(await idOf(1), await idOf(2))
})

t.test('passwords are hashed by a fake that costs as little as possible', async (t) => {
  const { passwordHasher } = createMemoryPorts()
  const { params } = passwordHasher
  t.strictSame(params, { memoryKiB: 8, passes: 1, parallelism: 1 })
  const hashOf = async (password: string) => {
    const job = { queue: 'ada', password, salt: new Uint8Array(16), params }
    return expectOk(await passwordHasher.hash(job))
  }
  t.strictSame(await hashOf('one'), await hashOf('one'))
  t.notSame(await hashOf('one'), await hashOf('another'))
})
