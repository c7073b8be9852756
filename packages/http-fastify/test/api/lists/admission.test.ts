import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createLists } from '../../../src/api/lists/lists.ts'
import { startApi } from '../../support/api.ts'

t.test('four requests are admitted in a turn of the event loop, in their order', async (t) => {
  const { admit } = createLists()
  const admitted: number[] = []
  for (let nr = 1; nr <= 10; nr += 1) void admit().then(() => admitted.push(nr))
  await Promise.resolve().then(() => Promise.resolve())
  t.same(admitted, [1, 2, 3, 4])
  for (let turn = 1; admitted.length < 10; turn += 1) {
    await nextTurn()
    t.ok(admitted.length <= 4 + 4 * turn, `${admitted.length} after ${turn} turns`)
  }
  t.same(admitted, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

// Promise (The JSON API): A thousand lists that arrive together do not hold up another request
t.test('a thousand lists that arrive together are not authenticated before another request', async (t) => {
  let authenticated = 0
  const api = await startApi(t, {
    perMinute: 10_000,
    replace: ({ accessTokens }) => ({
      accessTokens: {
        ...accessTokens,
        findUsable: (...given) => {
          authenticated += 1
          return accessTokens.findUsable(...given)
        },
      },
    }),
  })
  const get = (url: string) => api.app.inject({ url, headers: { authorization: `Bearer ${api.token}` } })
  const lists = Array.from({ length: 1_000 }, () => get('/api/secrets'))
  const { statusCode } = await get('/api/folders')
  t.equal(statusCode, 200)
  t.ok(authenticated < 100, `${authenticated} were authenticated before it was answered`)
  for (const list of await Promise.all(lists)) t.match(String(list.statusCode), /200|503/)
  t.equal(authenticated, 1_001)
})
