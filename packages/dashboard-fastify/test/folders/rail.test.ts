import t from 'tap'
import { startDashboard } from '../support/app.ts'

const draftsIn = (body: string): string[] =>
  [...body.matchAll(/href="\/drafts\/([0-9a-f-]{36})"/g)].map(([, id = '']) => id)

t.test('the drafts of all folders are listed, each with its folder', async (t) => {
  const dashboard = await startDashboard(t)
  const [owner, stranger] = [await dashboard.makeOwner(), await dashboard.makeOwner()]
  const { accountId } = owner
  const one = await dashboard.makeFolder(accountId, 'Customers')
  const other = await dashboard.makeFolder(accountId, 'Bank & co')
  const foreign = await dashboard.makeFolder(stranger.accountId)
  const first = await dashboard.makeDraft(accountId, one)
  dashboard.clock.advance(1)
  const second = await dashboard.makeDraft(accountId, other)
  await dashboard.makeDraft(stranger.accountId, foreign)
  const all = await dashboard.get('/drafts', { as: owner })
  t.same(draftsIn(all.body), [first.id, second.id])
  const labels = [...all.body.matchAll(/<p><bdi>([^<]+)<\/bdi>/g)].map(([, label]) => label)
  t.same(labels, ['Customers', 'Bank &amp; co'])
  const ofOne = await dashboard.get(`/drafts?folder=${one.toUpperCase()}`, { as: owner })
  t.same(draftsIn(ofOne.body), [first.id])
  t.notMatch(ofOne.body, '<p><bdi>')
  for (const folder of ['x', '', foreign])
    t.equal((await dashboard.get(`/drafts?folder=${folder}`, { as: owner })).statusCode, 404)
})

t.test('the rail counts what all folders hold, and marks what is shown beside it', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const one = await dashboard.makeFolder(accountId, 'Customers')
  const other = await dashboard.makeFolder(accountId, 'Bank')
  await dashboard.makeSecret(accountId, one)
  for (const folder of [one, other, other]) await dashboard.makeDraft(accountId, folder)
  for (const [path, shown] of [
    ['/dashboard', 'All folders'],
    ['/drafts', 'Drafts'],
    [`/dashboard?folder=${one}`, 'Customers'],
    [`/drafts?folder=${other}`, 'Bank'],
  ] as const) {
    const { body } = await dashboard.get(path, { as: owner })
    const [rail = ''] = /<div class="rail">[^]*?<\/nav>/.exec(body.replaceAll(/<\/?bdi>/g, '')) ?? []
    const entries = [...rail.matchAll(/<a href="[^"]+"([^>]*)>([^<]*?)(?: <small>(\d+)<\/small>)?<\/a>/g)]
    const gapAfter = Number(/\.folders li:nth-child\((\d)\)\{margin-block-end/.exec(body)?.[1])
    t.equal(entries[gapAfter - 1]?.[2], 'Drafts', 'folders stand apart')
    t.same(
      entries.map(([, , name, count]) => `${String(name)} ${count ?? ''}`.trim()).toSorted(),
      ['All folders 1', 'Bank 0', 'Customers 1', 'Drafts 3', 'Inbox 0'],
      path,
    )
    const current = entries.filter(([, attributes]) => attributes?.includes('aria-current="page"'))
    t.same(
      current.map(([, , name]) => name),
      [shown],
      path,
    )
    t.match(
      rail,
      `<summary><small>Folders</small> ${shown}</summary>`,
      'the switch of narrow screens names it',
    )
  }
  const { body } = await dashboard.get(`/dashboard?folder=${other}`, { as: owner })
  t.match(body, `<a href="/drafts?folder=${other}">2 drafts</a>`)
})
