import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard, type Dashboard, type Owner } from '../support/app.ts'

const minuteMicros = 60 * 1_000_000

/** The rows of a page by their title: the status, and whether there is a link to copy. */
function rowsOf(
  body: string,
): Record<string, { readonly status: string; readonly details: string; readonly hasLink: boolean }> {
  const rows = [...body.matchAll(/<li(?: data-link="[^"]*")?><label>[^]*?<\/li>/g)].map(([row]) => row)
  const textOf = (html: string): string => html.replace(/<[^>]*>/g, '')
  return Object.fromEntries(
    rows.map((row) => [
      textOf(/<bdi>(.*?)<\/bdi>/.exec(row)?.[1] ?? ''),
      {
        status: textOf(/<small>([^]*?)<\/small>/.exec(row)?.[1] ?? ''),
        details: textOf(/<p>([^]*?)<\/p>/.exec(row)?.[1] ?? ''),
        hasLink: /data-link="[\w-]{43}"/.test(row),
      },
    ]),
  )
}

/** Five secrets, one in each state that an owner asks about. */
async function start(t: Parameters<typeof startDashboard>[0]) {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const folderId = await dashboard.makeFolder(owner.accountId)
  const { sotto, clock } = dashboard
  const share = async (label: string, more: { openLimit?: number; password?: string }) =>
    expectOk(
      await sotto.createSecret({
        accountId: owner.accountId,
        folderId,
        label,
        note: 'n',
        notify: false,
        ...more,
      }),
    ).link.token
  await share('waiting', {})
  const locked = await share('locked', { password: 'right' })
  for (let at = 0; at < 5; at += 1) expectErr(await sotto.openSecret({ token: locked, password: 'wrong' }))
  const limited = await share('limited', { openLimit: 3 })
  const unlimited = await share('unlimited', {})
  const usedUp = await share('used up', { openLimit: 1 })
  for (const token of [limited, unlimited, unlimited, usedUp]) expectOk(await sotto.openSecret({ token }))
  clock.advance(3 * minuteMicros)
  return { dashboard, owner, folderId }
}

const page = async (dashboard: Dashboard, owner: Owner, path: string): Promise<string> =>
  (await dashboard.get(path, { as: owner })).body

t.test('each row says when its secret is deleted until it is finished, and no time then', async (t) => {
  const { dashboard, owner, folderId } = await start(t)
  const { id } = expectOk(await dashboard.sotto.getFolder({ accountId: owner.accountId, id: folderId }))
  const details = async (): Promise<Record<string, string>> => {
    const rows = rowsOf(await page(dashboard, owner, `/dashboard?folder=${id}`))
    return Object.fromEntries(Object.entries(rows).map(([title, row]) => [title, row.details]))
  }
  t.match(await details(), {
    waiting: /^deleted in 30 days$/,
    locked: /^with password · deleted in 30 days$/,
    limited: /^deleted in 30 days$/,
    'used up': /^$/,
  })
  expectOk(await dashboard.sotto.setLanguage({ accountId: owner.accountId, language: 'de' }))
  t.match(await details(), { waiting: /^wird in 30 Tagen gelöscht$/ })
})

t.test('each row says what became of its secret, and has a link while it can be opened', async (t) => {
  const { dashboard, owner } = await start(t)
  const rows = rowsOf(await page(dashboard, owner, '/dashboard'))
  t.match(rows, {
    waiting: { status: 'Not opened', hasLink: true },
    locked: { status: /^Locked until \d+:\d+ UTC$/, hasLink: true },
    limited: { status: 'Opened 3 minutes ago, 2 of 3 left', hasLink: true },
    unlimited: { status: 'Opened 3 minutes ago', hasLink: true },
    'used up': { status: 'Finished, opened 3 minutes ago', hasLink: false },
  })
})

t.test('the list is narrowed to a status, with the number of each, in a folder too', async (t) => {
  const { dashboard, owner, folderId } = await start(t)
  const titles = async (query: string): Promise<string[]> =>
    Object.keys(rowsOf(await page(dashboard, owner, `/dashboard${query}`))).toSorted()
  t.same(await titles('?status=waiting'), ['locked', 'waiting'])
  t.same(await titles('?status=opened'), ['limited', 'unlimited'])
  t.same(await titles('?status=finished'), ['used up'])
  t.equal((await titles('?status=other')).length, 5, 'an unknown status is none')
  const body = await page(dashboard, owner, `/dashboard?folder=${folderId}&status=opened`)
  for (const [text, count] of Object.entries({ All: 5, Waiting: 2, Opened: 2, Finished: 1 }))
    t.match(body, `${text} <small>${count}</small>`)
  t.match(body, `href="/dashboard?folder=${folderId}&amp;status=waiting"`)
  t.match(body, /status=opened" aria-current="page"/)
  const empty = await dashboard.makeFolder(owner.accountId)
  t.notMatch(await page(dashboard, owner, `/dashboard?folder=${empty}`), 'Waiting <small>')
  await dashboard.makeSecret(owner.accountId, empty)
  t.match(await page(dashboard, owner, `/dashboard?folder=${empty}&status=opened`), 'Nothing of this kind')
})

t.test('the next page of a status is of that status', async (t) => {
  const { dashboard, owner, folderId } = await start(t)
  for (let at = 0; at < 41; at += 1) await dashboard.makeSecret(owner.accountId, folderId)
  const first = await page(dashboard, owner, '/dashboard?status=waiting')
  const next = /rel="next" href="([^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  t.match(next, /^\/dashboard\?status=waiting&after=/)
  const rows = rowsOf(await page(dashboard, owner, next))
  t.ok(Object.values(rows).every(({ status }) => /^(?:Not opened|Locked)/.test(status)))
  t.match(rows, { waiting: {}, locked: {} })
})
