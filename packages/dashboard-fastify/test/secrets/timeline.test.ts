import { languages } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard, unescaped } from '../support/app.ts'

const minuteMicros = 60 * 1_000_000

async function start(t: Parameters<typeof startDashboard>[0], days = 0) {
  const dashboard = await startDashboard(t)
  dashboard.clock.advance(days * 24 * 60 * minuteMicros)
  // Ten minutes before midnight on 9 October.
  dashboard.clock.advance((14 * 60 + 56) * minuteMicros + 40_000_000)
  const owner = await dashboard.makeOwner()
  const folderId = await dashboard.makeFolder(owner.accountId)
  const { sotto, clock } = dashboard
  const pageOf = async (id: string, more = ''): Promise<string> =>
    (await dashboard.get(`/secrets/${id}${more}`, { as: owner })).body
  return {
    ...dashboard,
    owner,
    share: async (more: { openLimit?: number; password?: string }) =>
      expectOk(
        await sotto.createSecret({
          accountId: owner.accountId,
          folderId,
          label: 'l',
          note: 'n',
          notify: false,
          ...more,
        }),
      ),
    /** Opens it, and lets time go by. */
    async open(token: string, minutes: number) {
      expectOk(await sotto.openSecret({ token }))
      clock.advance(minutes * minuteMicros)
    },
    pageOf,
    /** The texts of its entries, the latest first. */
    async timelineOf(id: string): Promise<string[]> {
      const [, list = ''] = /<ol class="timeline">([^]*?)<\/ol>/.exec(await pageOf(id)) ?? []
      return [...list.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, entry = '']) =>
        unescaped(entry.replace(/<[^>]*>/g, '')),
      )
    },
  }
}

// Promise (The owner's pages): The page of a secret says when it was made, opened, and will be deleted, in one list
t.test('a timeline has everything that happened and what is still to come, the latest first', async (t) => {
  const { share, open, timelineOf, clock } = await start(t)
  const secret = await share({ openLimit: 3 })
  t.same(await timelineOf(secret.id), [
    'Will be deleted (in 30 days) 8 November at 23:50 UTC',
    'Created today, 23:50 UTC',
  ])
  clock.advance(5 * minuteMicros)
  await open(secret.link.token, 20)
  await open(secret.link.token, 1)
  t.same(await timelineOf(secret.id), [
    'Will be deleted (in 30 days) 8 November at 23:50 UTC',
    'Opened today, 00:15 UTC',
    'Opened yesterday, 23:55 UTC',
    'Created yesterday, 23:50 UTC',
  ])
})

t.test('a lock is in the timeline with its end', async (t) => {
  const { share, timelineOf, pageOf, sotto } = await start(t)
  const { id, link } = await share({ password: 'right' })
  for (let at = 0; at < 5; at += 1)
    expectErr(await sotto.openSecret({ token: link.token, password: 'wrong' }))
  t.equal((await timelineOf(id))[1], 'The lock by wrong passwords ends tomorrow, 00:20 UTC')
  t.match(await pageOf(id), /Locked until <time [^>]*>00:20 UTC<\/time>/)
})

t.test(
  'of more than a hundred opens the times of the latest are shown, and how many there were before',
  async (t) => {
    const { share, open, timelineOf } = await start(t)
    const { id, link } = await share({})
    for (let at = 0; at < 101; at += 1) await open(link.token, 0)
    t.equal((await timelineOf(id)).at(-2), '1 earlier open, whose time is not kept')
    for (let at = 0; at < 2; at += 1) await open(link.token, 0)
    const entries = await timelineOf(id)
    t.equal(entries.filter((entry) => entry.startsWith('Opened')).length, 100)
    t.equal(entries.at(-2), '3 earlier opens, whose times are not kept')
  },
)

t.test('with a hundred times of another year the page has at most 40 KiB, 42 in Arabic', async (t) => {
  const { share, open, clock, get, pageOf, owner } = await start(t, 83)
  const { id, link } = await share({})
  for (let at = 0; at < 101; at += 1) await open(link.token, 0)
  // A session that is used stays.
  for (let hours = 0; hours < 50; hours += 10) {
    clock.advance(10 * 60 * minuteMicros)
    await pageOf(id)
  }
  for (const language of languages) {
    const headers = { 'accept-language': language }
    const { body } = await get(`/secrets/${id}`, { as: owner, headers })
    const times = body.match(/<time [^>]* data-day>[^<]*2025/g) ?? []
    t.ok(times.length >= 100, `${times.length} times with their year`)
    const bytes = Buffer.byteLength(body)
    t.ok(bytes <= (language === 'ar' ? 42 : 40) * 1024, `${bytes} bytes in ${language}`)
  }
})

t.test(
  'a used-up secret says when its contents were deleted, and is only removed from the list',
  async (t) => {
    const { share, open, timelineOf, pageOf } = await start(t)
    const { id, link } = await share({ openLimit: 1 })
    t.match(await pageOf(id), /<button [^>]*>Delete<\/button>/)
    t.match(await pageOf(id, '/destroy'), 'Delete this secret?')
    await open(link.token, 1)
    t.same(await timelineOf(id), [
      'Leaves the list (in 30 days) 8 November at 23:50 UTC',
      'Opened for the last time, which deleted its text today, 23:50 UTC',
      'Created today, 23:50 UTC',
    ])
    for (const body of [await pageOf(id), await pageOf(id, '/destroy')]) {
      t.match(body, /<button [^>]*>Remove from the list<\/button>/)
      t.match(body, 'Its text is deleted already.')
      t.notMatch(body, /link stops working|>Delete<|Opens left/)
    }
  },
)

t.test('a secret that wrong passwords disabled says so, and is only removed from the list', async (t) => {
  const { share, sotto, clock, timelineOf, pageOf } = await start(t)
  const { id, link } = await share({ password: 'right', openLimit: 3 })
  for (let at = 0; at < 100; at += 1) {
    expectErr(await sotto.openSecret({ token: link.token, password: 'wrong' }))
    clock.advance(7 * minuteMicros)
  }
  const entries = await timelineOf(id)
  t.match(entries, [/^Leaves the list/, /^Too many wrong passwords have disabled/, /^Created/])
  t.equal(entries.length, 3)
  t.match(await pageOf(id), '>Remove from the list</button>')
})
