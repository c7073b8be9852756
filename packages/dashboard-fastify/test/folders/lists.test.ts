import { listOf, type DataCorrupted } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { err } from 'neverthrow'
import t, { type Test } from 'tap'
import { startDashboard, type Dashboard, type Owner } from '../support/app.ts'

const hrefsIn = (body: string, kind: string): string[] =>
  [...body.matchAll(new RegExp(`href="/${kind}/([0-9a-f-]{36})"`, 'g'))].map(([, id = '']) => id)

const nextOf = (body: string): string | undefined =>
  /<a [^>]*rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')

/** The ids on all pages of a list, from the first on. */
async function readAll({ get }: Dashboard, as: Owner, path: string, kind: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let at: string | undefined = path; at !== undefined && pages.length < 10;) {
    const { body, statusCode }: { body: string; statusCode: number } = await get(at, { as })
    if (statusCode !== 200) return []
    pages.push(hrefsIn(body, kind))
    at = nextOf(body)
  }
  return pages
}

t.test('secrets are shown 40 a page, newest first, none twice and none left out', async (t) => {
  for (const count of [0, 1, 39, 40, 41, 80, 81]) {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner()
    const folder = await dashboard.makeFolder(owner.accountId)
    const ids: string[] = []
    for (let n = 0; n < count; n += 1) {
      ids.unshift((await dashboard.makeSecret(owner.accountId, folder)).id)
      // Several of the same microsecond.
      if (n % 3 === 0) dashboard.clock.advance(1)
    }
    const pages = await readAll(dashboard, owner, '/dashboard', 'secrets')
    t.same(
      pages.map(({ length }) => length),
      sizes(count),
      `${count} secrets`,
    )
    t.same(pages.flat().toSorted(), ids.toSorted())
    t.same(await readAll(dashboard, owner, `/dashboard?folder=${folder}`, 'secrets'), pages, 'by folder')
  }
})

t.test('of a long list of folders one page is read in each turn of the event loop', async (t) => {
  let readInTurn = 0
  let most = 0
  const dashboard = await startDashboard(t, {
    replace: ({ folders }) => ({
      folders: {
        ...folders,
        page: (...given: Parameters<typeof folders.page>) => {
          if (readInTurn === 0) setImmediate(() => (readInTurn = 0))
          readInTurn += 1
          most = Math.max(most, readInTurn)
          return folders.page(...given)
        },
      },
    }),
  })
  const owner = await dashboard.makeOwner()
  for (let n = 0; n < 250; n += 1) await dashboard.makeFolder(owner.accountId, `Folder ${String(n)}`)
  const { body } = await dashboard.get('/secrets/new', { as: owner })
  t.equal(body.match(/>Folder \d+</g)?.length, 250)
  t.equal(most, 1)
})

t.test('a folder shows its own secrets only, with both counts', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const stranger = await dashboard.makeOwner()
  const [one, other] = [
    await dashboard.makeFolder(owner.accountId),
    await dashboard.makeFolder(owner.accountId),
  ]
  const { id } = await dashboard.makeSecret(owner.accountId, one)
  dashboard.clock.advance(1)
  const { id: second } = await dashboard.makeSecret(owner.accountId, other)
  await dashboard.makeDraft(owner.accountId, one)
  await dashboard.makeSecret(stranger.accountId, await dashboard.makeFolder(stranger.accountId))
  const shown = async (path: string): Promise<string[]> =>
    hrefsIn((await dashboard.get(path, { as: owner })).body, 'secrets')
  t.same(await shown('/dashboard'), [second, id])
  t.same(await shown(`/dashboard?folder=${one}`), [id])
  t.same(await shown(`/dashboard?folder=${other}`), [second])
})

t.test('drafts are shown 40 a page', async (t) => {
  for (const count of [0, 40, 41, 81]) {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner()
    const folder = await dashboard.makeFolder(owner.accountId)
    const ids: string[] = []
    for (let n = 0; n < count; n += 1) ids.push((await dashboard.makeDraft(owner.accountId, folder)).id)
    const pages = await readAll(dashboard, owner, `/drafts?folder=${folder}`, 'drafts')
    t.same(
      pages.map(({ length }) => length),
      sizes(count),
      `${count} drafts`,
    )
    t.same(pages.flat().toSorted(), ids.toSorted())
    t.same(await readAll(dashboard, owner, '/drafts', 'drafts'), pages, 'of all folders')
  }
})

const beginnings = [
  '',
  'x',
  '0',
  '1.x',
  `-1.${'0'.repeat(36)}`,
  `1e9.${'0'.repeat(36)}`,
  `9${'9'.repeat(16)}.${'a'.repeat(36)}`,
]

t.test('a position that is none shows the list from its beginning', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId)
  const { id } = await dashboard.makeSecret(owner.accountId, folder)
  const { id: draft } = await dashboard.makeDraft(owner.accountId, folder)
  for (const after of beginnings) {
    const { body } = await dashboard.get(`/dashboard?after=${after}`, { as: owner })
    t.same(hrefsIn(body, 'secrets'), [id], after)
    const drafts = await dashboard.get(`/drafts?after=${after}`, { as: owner })
    t.same(hrefsIn(drafts.body, 'drafts'), [draft], after)
  }
})

t.test('a corrupted secret is reported, and the others are shown', async (t) => {
  const { dashboard, corrupted } = await startWithCorruption(t)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId)
  const { id } = await dashboard.makeSecret(owner.accountId, folder)
  const { id: bad } = await dashboard.makeSecret(owner.accountId, folder)
  corrupted.add(bad)
  const { body, statusCode } = await dashboard.get('/dashboard', { as: owner })
  t.equal(statusCode, 200)
  t.same(hrefsIn(body, 'secrets'), [id])
  t.match(body, 'role="alert"')
  t.match(dashboard.logLines.join(''), bad, 'the log names it')
  t.equal((await dashboard.get(`/secrets/${bad}`, { as: owner })).statusCode, 500)
})

t.test('a corrupted folder is reported, and the others are shown', async (t) => {
  const { dashboard, corrupted } = await startWithCorruption(t)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId)
  const bad = await dashboard.makeFolder(owner.accountId)
  corrupted.add(bad)
  const { body, statusCode } = await dashboard.get('/dashboard', { as: owner })
  t.equal(statusCode, 200)
  t.match(body, folder)
  t.notMatch(body, bad)
  t.match(body, 'role="alert"')
  t.match(dashboard.logLines.join(''), bad, 'the log names it')
  t.equal((await dashboard.get('/secrets/new', { as: owner })).statusCode, 200)
})

// Promise (The owner's pages): Corrupted rows are left out of lists, with an error in the log
t.test('a corrupted access token is in the log, and the others are shown', async (t) => {
  const { dashboard, corrupted } = await startWithCorruption(t)
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const sound = expectOk(await dashboard.sotto.createAccessToken({ accountId, name: 'sound' }))
  const { id: bad } = expectOk(await dashboard.sotto.createAccessToken({ accountId, name: 'corrupted' }))
  corrupted.add(bad)
  const { body, statusCode } = await dashboard.get('/settings/tokens', { as: owner })
  t.equal(statusCode, 200)
  t.match(body, sound.id)
  t.notMatch(body, bad)
  t.match(errorsIn(dashboard), [{ error: { code: 'data_damaged', id: bad } }], 'the log names it')
})

t.test('a corrupted session is in the log, and the others are shown', async (t) => {
  const corruption = { code: 'data_damaged', what: 'session', id: 'damaged-session' } as const
  const dashboard = await startDashboard(t, {
    wrap: (sotto) => ({
      listSessions(input) {
        const corrupt = async function* () {
          for await (const page of sotto.listSessions(input))
            yield page.map((shown) => ({ ...shown, corrupted: [corruption] }))
        }
        return listOf(corrupt())
      },
    }),
  })
  const owner = await dashboard.makeOwner()
  const { statusCode } = await dashboard.get('/settings/sessions', { as: owner })
  t.equal(statusCode, 200)
  t.match(errorsIn(dashboard), [{ error: corruption }], 'the log names it')
})

t.test('a folder is found by its id in upper case', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  await dashboard.makeFolder(owner.accountId, 'Another')
  const folder = await dashboard.makeFolder(owner.accountId, 'The right one')
  const { id } = await dashboard.makeSecret(owner.accountId, folder)
  const query = `folder=${folder.toUpperCase()}`
  const { statusCode, body } = await dashboard.get(`/dashboard?${query}`, { as: owner })
  t.equal(statusCode, 200)
  t.same(hrefsIn(body, 'secrets'), [id])
  const form = await dashboard.get(`/secrets/new?${query}`, { as: owner })
  t.match(form.body, new RegExp(`value="${folder}" selected`))
})

/** A dashboard on which the rows with the ids that a test adds to `damaged` do not decrypt. */
async function startWithCorruption(
  t: Test,
): Promise<{ readonly dashboard: Dashboard; readonly corrupted: Set<string> }> {
  const corrupted = new Set<string>()
  const corruption = (what: DataCorrupted['what'], id: string) =>
    err({ code: 'data_damaged', what, id } as const)
  const dashboard = await startDashboard(t, {
    replace: ({ secretCipher, textCipher }) => ({
      secretCipher: {
        ...secretCipher,
        decryptHead: (secret) =>
          corrupted.has(secret.id) ? corruption('secret.head', secret.id) : secretCipher.decryptHead(secret),
      },
      textCipher: {
        ...textCipher,
        decryptText: (place, encrypted) =>
          corrupted.has(place.rowId)
            ? corruption(place.column, place.rowId)
            : textCipher.decryptText(place, encrypted),
      },
    }),
  })
  return { dashboard, corrupted }
}

/** The errors in the log. */
function errorsIn({ logLines }: Dashboard): readonly unknown[] {
  return logLines
    .map((line) => JSON.parse(line) as { level: unknown })
    .filter(({ level }) => level === 50 || level === 'error')
}

/** How many rows the pages of a list have. */
function sizes(count: number): number[] {
  const full = new Array<number>(Math.floor(count / 40)).fill(40)
  return count % 40 === 0 && count > 0 ? full : [...full, count % 40]
}
