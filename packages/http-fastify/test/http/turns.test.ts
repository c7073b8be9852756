import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createTurns } from '../../src/http/turns.ts'

t.test('all lists together read one page in each turn of the event loop, in order', async (t) => {
  const { turn } = createTurns(() => false)
  const read: string[] = []
  const list = async (name: string) => {
    for (let page = 1; page <= 3; page += 1) {
      await turn('account')
      read.push(name + String(page))
    }
  }
  const lists = Promise.all(['a', 'b', 'c'].map(list))
  for (let turn = 1; turn <= 9; turn += 1) {
    await nextTurn()
    t.ok(read.length <= turn, `${read.length} pages after ${turn} turns`)
  }
  await lists
  t.same(read, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'])
})

t.test('an account that asks for many lists does not make another one wait for all of them', async (t) => {
  const { turn } = createTurns(() => false)
  const read: string[] = []
  const pages = ['a', 'a', 'a', 'b', 'a'].map((account) => turn(account).then(() => read.push(account)))
  await Promise.all(pages)
  t.same(read, ['a', 'b', 'a', 'a', 'a'])
})

t.test('a first page waits for no turn, unless several were read in this one', async (t) => {
  const { firstTurn } = createTurns(() => false)
  const read: string[] = []
  for (const account of ['a', 'a', 'a', 'a', 'a', 'a', 'b'])
    void firstTurn(account).then(() => read.push(account))
  await Promise.resolve().then(() => Promise.resolve())
  t.same(read, ['a', 'a', 'a', 'a'])
  await nextTurn()
  await nextTurn()
  t.same(read.splice(4), ['a', 'b', 'a'], 'the accounts alternate')
})

t.test('first pages of an account with long lists under way wait with the further pages', async (t) => {
  const busy = new Set(['a'])
  const { firstTurn } = createTurns((account) => busy.has(account))
  const read: string[] = []
  for (const account of ['a', 'a', 'a', 'b', 'b', 'b']) void firstTurn(account).then(() => read.push(account))
  await nextTurn()
  await nextTurn()
  t.same(read.slice(0, 3), ['b', 'b', 'b'])
  t.ok(read.length <= 4, `${read.length} pages`)
  while (read.length < 6) await nextTurn()
  t.same(read.slice(3), ['a', 'a', 'a'])
})

t.test(
  'first pages that wait when their account gets a long list wait on with the further pages',
  async (t) => {
    let isBusy = false
    const { firstTurn } = createTurns(() => isBusy)
    let read = 0
    for (let list = 0; list < 20; list += 1) void firstTurn('a').then(() => (read += 1))
    isBusy = true
    for (let turn = 0; turn < 8; turn += 1) await nextTurn()
    t.ok(read <= 7, `${read} pages after 8 turns`)
    while (read < 20) await nextTurn()
  },
)
