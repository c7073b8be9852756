import { expectOk } from '@sotto/test-kit'
import Fastify from 'fastify'
import { errAsync, ResultAsync } from 'neverthrow'
import t from 'tap'
import type { Test } from 'tap'
import { dashboardRoutes } from '../../src/index.ts'
import { formType, origin, startDashboard, unescaped, type Dashboard, type Owner } from '../support/app.ts'

const word = 'Zebrafish'

async function start(t: Test, options?: Parameters<typeof startDashboard>[1]) {
  const dashboard = await startDashboard(t, options)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId, 'Aquarium')
  const search = (words: string, after?: string, as: Owner = owner) =>
    dashboard.post('/search', { words, ...(after !== undefined && { after }) }, { as })
  return { dashboard, owner, folder, search }
}

async function saveDraft({ sotto }: Dashboard, { accountId }: Owner, folderId: string, label: string) {
  return expectOk(await sotto.saveDraft({ accountId, folderId, label, note: 'note' }))
}

/** The titles of the rows of a page. */
const titlesIn = (body: string): string[] =>
  [...body.matchAll(/<a href="\/(?:secrets|drafts)\/[0-9a-f-]{36}"><bdi>(.*?)<\/bdi>/g)].map(
    ([, title = '']) => unescaped(title),
  )

/** What the form sends that goes on. */
const nextIn = (body: string): string | undefined => /name="after" value="([^"]*)"/.exec(body)?.[1]

t.test('secrets and drafts are found by words of their titles, in all folders', async (t) => {
  const { dashboard, owner, folder, search } = await start(t)
  const { accountId } = owner
  const other = await dashboard.makeFolder(accountId, 'Other')
  await dashboard.makeSecret(accountId, folder, { label: `Key of the ${word} <tank>`, password: 'p' })
  await dashboard.makeSecret(accountId, other, { label: 'Nothing of it' })
  await saveDraft(dashboard, owner, other, `${word.toUpperCase()}, second tank`)
  const stranger = await dashboard.makeOwner()
  const theirs = await dashboard.makeFolder(stranger.accountId)
  await dashboard.makeSecret(stranger.accountId, theirs, { label: `${word} tank of a stranger` })
  const { body, statusCode, headers } = await search(`tank ${word.toLowerCase()}`)
  t.equal(statusCode, 200)
  t.equal(headers['cache-control'], 'no-store')
  t.same(titlesIn(body), [`Key of the ${word} <tank>`, `${word.toUpperCase()}, second tank`])
  t.match(body, '>2 found<')
  t.match(body, /<bdi>Aquarium<\/bdi> · with password · deleted <time [^]*?<small>Not opened<\/small>/)
  t.match(body, /<bdi>Other<\/bdi> · <time [^]*?<small>Draft<\/small>/)
  t.match(body, /data-link="[\w-]{43}"/)
  t.match(body, `value="tank ${word.toLowerCase()}"`, 'the words are in the box')
  t.notMatch(/<title>.*<\/title>/.exec(body)?.[0], 'tank', 'and not in the title of the page')
})

t.test('the box is above the list, and alone on a page of its own', async (t) => {
  const { dashboard, owner } = await start(t)
  for (const path of ['/dashboard', '/search']) {
    const { body, statusCode } = await dashboard.get(path, { as: owner })
    t.equal(statusCode, 200)
    t.match(body, /<form class="search" method="post" action="\/search" role="search"/)
    t.match(body, /<input type="search" id="words" name="words" value=""/)
    t.match(body, /<span class="heard"><label for="words">/)
    t.match(
      body,
      /\.heard\{position:absolute;[^}]*clip-path:inset\(50%\)\}/,
      'nobody sees its label: the box says the same',
    )
  }
})

t.test('without a match it says so, and what is searched', async (t) => {
  const { body } = await (await start(t)).search(word)
  t.match(body, 'Nothing found')
  t.match(body, 'Texts are not searched.')
})

t.test('forty are shown at once, and the search goes on with the same words', async (t) => {
  const { dashboard, owner, folder, search } = await start(t)
  const labels: string[] = []
  for (let n = 0; n < 90; n += 1) {
    dashboard.clock.advance(1)
    const label = n % 2 === 0 ? `${word} ${n}` : `other ${n}`
    await dashboard.makeSecret(owner.accountId, folder, { label })
    if (n % 2 === 0) labels.unshift(label)
  }
  await saveDraft(dashboard, owner, folder, `${word} draft`)
  const first = (await search(word)).body
  t.same(titlesIn(first), labels.slice(0, 40))
  t.match(first, '40 found · The search stopped after 80 titles.')
  t.match(first, /<form class="actions" method="post" action="\/search">.*Search on<\/button>/)
  t.match(first, `<input type="hidden" name="words" value="${word}">`)
  const second = (await search(word, nextIn(first))).body
  t.same(titlesIn(second), [...labels.slice(40), `${word} draft`])
  t.match(second, '>6 found<')
  t.equal(nextIn(second), undefined)
  for (const after of ['x', 'drafts.', `others.1.${'a'.repeat(36)}`, `secrets.1.${'x'.repeat(36)}`])
    t.same(titlesIn((await search(word, after)).body), labels.slice(0, 40), `${after}: from the beginning`)
})

t.test('words that cannot be searched are refused at the box, which keeps them', async (t) => {
  const { search } = await start(t)
  for (const [words, problem] of [
    ['', 'Please fill in this field.'],
    ['  ', 'Please fill in this field.'],
    ['x'.repeat(256), 'Use at most 255 characters.'],
    ['a\nb', 'Remove line breaks and other control characters.'],
  ] as const) {
    const { body, statusCode } = await search(words)
    t.equal(statusCode, 400, JSON.stringify(words))
    t.match(body, `<p class="error" id="words-error">${problem}</p>`)
    t.match(body, / aria-invalid="true" aria-describedby="words-error" autofocus>/)
    t.ok(body.includes(`name="words" value="${words}"`), 'what was typed')
  }
  t.equal((await search('x'.repeat(255))).statusCode, 200)
})

t.test('while a search is under way, another one of the account is 429, and keeps the words', async (t) => {
  const held = Promise.withResolvers<undefined>()
  const { dashboard, search } = await start(t, {
    replace: ({ secrets }) => ({
      secrets: {
        ...secrets,
        page: (...given: Parameters<typeof secrets.page>) =>
          ResultAsync.fromSafePromise(held.promise).andThen(() => secrets.page(...given)),
      },
    }),
  })
  const first = search('first')
  const stranger = await dashboard.makeOwner()
  const second = await search('second')
  const others = search('theirs', undefined, stranger)
  held.resolve(undefined)
  t.match(second, { statusCode: 429, headers: { 'retry-after': '1' } })
  t.match(second.body, 'Another search of yours is still running')
  t.match(second.body, 'value="second"')
  t.equal((await first).statusCode, 200)
  t.equal((await others).statusCode, 200)
  t.equal((await search('second')).statusCode, 200)
})

// Promise (The owner's pages): A search leaves time for other requests
t.test('of many titles one slice is read in each turn of the event loop', async (t) => {
  let readInTurn = 0
  let most = 0
  let slices = 0
  const { dashboard, owner, folder, search } = await start(t, {
    replace: ({ secrets }) => ({
      secrets: {
        ...secrets,
        page: (...given: Parameters<typeof secrets.page>) => {
          if (readInTurn === 0) setImmediate(() => (readInTurn = 0))
          readInTurn += 1
          slices += 1
          most = Math.max(most, readInTurn)
          return secrets.page(...given)
        },
      },
    }),
  })
  for (let n = 0; n < 350; n += 1) await dashboard.makeSecret(owner.accountId, folder)
  t.match((await search(word)).body, 'Nothing found')
  t.equal(slices, 4)
  t.equal(most, 1)
})

t.test('searches count as changes do, and words are kept when there were too many', async (t) => {
  const { search } = await start(t, { perMinute: 2 })
  for (let n = 0; n < 2; n += 1) t.equal((await search(word)).statusCode, 200)
  const { body, statusCode } = await search(word)
  t.equal(statusCode, 429)
  t.match(body, `<textarea hidden name="words">\n${word}</textarea>`)
})

t.test('a corrupted row is reported, and the log names it', async (t) => {
  let bad = ''
  const { dashboard, owner, folder, search } = await start(t, {
    wrap: (sotto) => ({
      searchSecrets: (input) =>
        sotto.searchSecrets(input).map((found) => ({
          ...found,
          corrupted: [{ code: 'data_damaged', what: 'secret', id: bad }] as const,
        })),
    }),
  })
  bad = (await dashboard.makeSecret(owner.accountId, folder)).id
  t.match((await search(word)).body, /role="alert"><p>Some secrets cannot be shown/)
  t.match(dashboard.logLines.join(''), bad)
})

// Promise (The owner's pages): The words of a search are in no address and in no log
t.test('the words are in no address and in no log, whatever comes of the search', async (t) => {
  const busy = errAsync({ code: 'storage_unavailable', reason: 'busy' } as const)
  const broken = {
    replace: ({ secrets }: { secrets: object }) => ({ secrets: { ...secrets, page: () => busy } }),
  }
  for (const options of [{}, broken] as Parameters<typeof startDashboard>[1][]) {
    const { dashboard, owner, search } = await start(t, options)
    const answers = [await search(word), await search(word + 'x'.repeat(255)), await search(`${word}\n`)]
    answers.push(await dashboard.post('/search', { words: word }), await search(word, 'nonsense'))
    await dashboard.get(`/search?words=${word}`, { as: owner })
    for (const { headers, body } of answers) {
      t.notMatch(JSON.stringify(headers), word)
      t.notMatch(body, new RegExp(`(?:href|action)="[^"]*${word}`))
    }
    t.notMatch(dashboard.logLines.join(''), new RegExp(word, 'i'))
  }
})

t.test('nor are they in Fastify’s own log lines in an embedding application', async (t) => {
  const { dashboard, owner } = await start(t)
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'trace', stream: { write: (line) => void lines.push(line) } } })
  t.teardown(() => app.close())
  await app.register(dashboardRoutes, { sotto: dashboard.sotto, baseUrl: origin, linkBaseUrl: origin })
  const headers = { host: 'localhost:3000', 'content-type': formType, cookie: `sotto=${owner.token}` }
  const payload = new URLSearchParams({ words: word }).toString()
  const { statusCode } = await app.inject({ method: 'POST', url: '/search', headers, payload })
  t.equal(statusCode, 200)
  t.match(lines.join(''), '/search')
  t.notMatch(lines.join(''), word)
})
