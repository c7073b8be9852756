import assert from 'node:assert/strict'
import { skipReason, storageContract, type StorageHarness } from '@sotto/test-kit'
import t from 'tap'
import { contractOf } from '../../src/contract/contract.ts'
import { memoryStorageHarness } from '../harnesses.ts'

const memory = memoryStorageHarness()

t.test('a case that the harness does not support is to be skipped, for a reason', async (t) => {
  const minimal: StorageHarness = { ...memory, supports: [] }
  for (const each of storageContract) {
    t.equal(skipReason(memory, each), false)
    const { needs = [] } = each
    const reason = `the harness does not support ${needs.join(' and ')}`
    t.equal(skipReason(minimal, each), needs.length === 0 ? false : reason, each.id)
  }
  const durable = { needs: ['reopen', 'together'] } as const
  t.equal(
    skipReason({ ...memory, supports: ['together'] }, durable),
    'the harness does not support reopen',
    'only what is missing is named',
  )
})

t.test('a case that needs `reopen` or `beside` fails when it is run without it', async (t) => {
  const open: StorageHarness['open'] = async () => {
    const { reopen: _, beside: __, ...store } = await memory.open()
    return store
  }
  const cases = storageContract.filter(
    ({ needs = [] }) => needs.includes('reopen') || needs.includes('beside'),
  )
  t.ok(cases.length > 0)
  for (const each of cases) await t.rejects(each.run({ supports: [], open }), assert.AssertionError, each.id)
})

t.test('each case disposes of what it opened, also when it fails', async (t) => {
  let open = 0
  const counting: StorageHarness = {
    supports: ['together'],
    async open() {
      const { beside: _, reopen: __, accounts, ...store } = await memory.open()
      open += 1
      return {
        ...store,
        accounts: { ...accounts, findByName: () => accounts.findByName([]) },
        async dispose() {
          open -= 1
          await store.dispose()
        },
      }
    },
  }
  let failed = 0
  for (const each of storageContract.filter((one) => skipReason(counting, one) === false)) {
    await each.run(counting).catch(() => (failed += 1))
    t.equal(open, 0, each.id)
  }
  t.ok(failed > 0)
})

t.test('a failure begins with the rule and the id, in its message and in its stack', async (t) => {
  const error = await failureOf(async () => assert.deepEqual({ rows: 1 }, { rows: 2 }, 'the rows differ'))
  t.match(error, {
    name: 'AssertionError',
    actual: { rows: 1 },
    expected: { rows: 2 },
    operator: 'deepStrictEqual',
  })
  t.ok(error.message.startsWith('One is two. (port/rule)\nthe rows differ'), error.message)
  t.ok(error.stack?.startsWith('AssertionError [ERR_ASSERTION]: One is two. (port/rule)\nthe rows differ'))
  t.match(error.stack, /contract\.test\.ts:\d+/, 'the stack shows where the assertion is')
})

t.test(
  'an error that an adapter throws becomes a failure of the rule, with the error as its cause',
  async (t) => {
    const thrown = new RangeError('boom')
    const error = await failureOf(() => Promise.reject(thrown))
    t.equal(error.name, 'AssertionError')
    t.equal(error.message, 'One is two. (port/rule)\nit threw RangeError: boom')
    t.equal(error.cause, thrown)
    t.match(error.stack, /contract\.test\.ts:\d+/, 'the stack shows where it was thrown')
  },
)

t.test('what is thrown need not be an error', async (t) => {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as a faulty adapter might
  const error = await failureOf(() => Promise.reject('boom'))
  t.equal(error.message, 'One is two. (port/rule)\nit threw boom')
})

/** What a case rejects with whose check is `run`. */
async function failureOf(run: () => Promise<void>): Promise<Error> {
  const harness = { supports: [], open: async () => ({ dispose: async () => {} }) }
  const [each] = contractOf([{ id: 'port/rule', rule: 'One is two.', run }])
  try {
    await each?.run(harness)
  } catch (error) {
    assert.ok(error instanceof Error)
    return error
  }
  throw new Error('the case did not fail')
}
