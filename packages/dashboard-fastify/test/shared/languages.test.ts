import { languages, type Language } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { languageFacts } from '@sotto/texts'
import { dashboardTexts } from '@sotto/texts/dashboard'
import t from 'tap'
import { formType, startDashboard, unescaped, type Dashboard } from '../support/app.ts'
import { confirmTokenOf, makeThings, pathsOf } from '../support/paths.ts'

const shown = (body: string): string | undefined => /<html lang="(\w+)" dir="(?:ltr|rtl)"/.exec(body)?.[0]

t.test('the account’s language comes before the browser’s', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const languageOf = async (
    path: string,
    as: typeof owner | undefined,
    accepted: string,
  ): Promise<unknown> => {
    const { body, headers } = await dashboard.get(path, { as, headers: { 'accept-language': accepted } })
    t.match(headers.vary, 'Accept-Language')
    return [shown(body), headers['content-language']]
  }
  t.same(await languageOf('/login', undefined, 'de'), ['<html lang="de" dir="ltr"', 'de'])
  t.same(await languageOf('/login', undefined, 'xx'), ['<html lang="en" dir="ltr"', 'en'])
  t.same(await languageOf('/login', undefined, 'ar,de;q=0.5'), ['<html lang="ar" dir="rtl"', 'ar'])
  t.same(await languageOf('/dashboard', owner, 'ja'), ['<html lang="ja" dir="ltr"', 'ja'])
  const chosen = await dashboard.post('/settings/language', { language: 'ar' }, { as: owner })
  t.match(chosen, { statusCode: 303, headers: { location: '/settings?done=languageSaved' } })
  t.same(await languageOf('/dashboard', owner, 'ja'), ['<html lang="ar" dir="rtl"', 'ar'])
  t.same(
    await languageOf('/secrets/none', owner, 'ja'),
    ['<html lang="ar" dir="rtl"', 'ar'],
    'error pages too',
  )
  t.same(
    await languageOf('/login', owner, 'ja'),
    ['<html lang="ja" dir="ltr"', 'ja'],
    'everybody’s pages do not',
  )
  await dashboard.post('/settings/language', { language: '' }, { as: owner })
  t.same(await languageOf('/dashboard', owner, 'ja'), ['<html lang="ja" dir="ltr"', 'ja'])
})

// Promise (The owner's pages): After a refusal the title begins with "Error", in the reader's language
t.test('the title of a page that refuses something says so first, in each language', async (t) => {
  const dashboard = await startDashboard(t)
  const says: Readonly<Partial<Record<Language, string>>> = {
    en: 'Error: ',
    de: 'Fehler: ',
    fr: 'Erreur\u00a0: ',
    es: 'Error: ',
    ar: 'خطأ: ',
    ja: 'エラー：',
  }
  for (const language of languages) {
    const titleOf = ({ body }: { readonly body: string }): string =>
      /<title>(.*?)<\/title>/.exec(body)?.[1] ?? ''
    const headers = { 'accept-language': language }
    const asked = titleOf(await dashboard.get('/login', { headers }))
    const wrong = await dashboard.signIn({ email: `${language}@example.org`, password: 'x' }, { headers })
    t.equal(titleOf(wrong), `${says[language] ?? languageFacts[language].error}${asked}`)
    const said = dashboardTexts[language].signIn.wrong
    t.match(unescaped(wrong.body), `<div class="banner error" role="alert"><p>${said}</p></div>`)
    t.equal(unescaped(wrong.body).split(said).length, 2, 'it is said once')
    t.match(wrong.body, / id="password"[^>]* autofocus/)
  }
  const { get, post } = dashboard
  const owner = await dashboard.makeOwner()
  const elsewhere = { as: owner, headers: { 'sec-fetch-site': 'cross-site' } }
  for (const refused of [
    await post('/folders', { label: '' }, { as: owner }),
    await post('/folders', { label: 'x' }, elsewhere),
  ])
    t.match(refused.body, '<title>Error: ')
  for (const path of ['/login', '/dashboard', '/settings/tokens', '/secrets/none'])
    t.notMatch((await get(path, { as: owner })).body, '<title>Error')
})

t.test('a language that there is not is refused', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const before = dashboard.snapshot()
  for (const language of ['xx', 'DE', 'de-AT', ' de', '__proto__', 'x'.repeat(1_000)]) {
    const { statusCode } = await dashboard.post('/settings/language', { language }, { as: owner })
    t.equal(statusCode, 400, language)
  }
  t.equal(dashboard.snapshot(), before)
})

/** A page of each kind that needs no session. */
async function guestPaths(dashboard: Dashboard): Promise<readonly string[]> {
  const { accountId, email } = await dashboard.makeOwner()
  const { token } = expectOk(await dashboard.sotto.resetAccount({ email }))
  const confirm = await confirmTokenOf(dashboard.sotto, accountId)
  return ['/login', '/login/reset', `/welcome/${token}`, `/confirm/${confirm}`]
}

const languageUrls = (body: string): (string | undefined)[] =>
  [...unescaped(body).matchAll(/<a href="([^"]*)" lang="\w\w"/g)].map(([, url]) => url)

// Promise (The owner's pages): Without a session each page can be read in each language; its form keeps it
t.test(
  'without a session every page can be read in each language, and its form keeps the choice',
  async (t) => {
    const dashboard = await startDashboard(t)
    const headers = { 'accept-language': 'de' }
    for (const path of await guestPaths(dashboard)) {
      const { body } = await dashboard.get(path, { headers })
      t.match(body, 'lang="de" aria-current="true">Deutsch<')
      t.match(body, `<form method="post" action="${path}">`)
      t.same(
        languageUrls(body),
        languages.map((tag) => `${path}?lang=${tag}`),
        path,
      )
      for (const tag of languages) {
        const page = (await dashboard.get(`${path}?lang=${tag}`, { headers })).body
        t.match(shown(page), `lang="${tag}"`)
        t.match(page, `<form method="post" action="${path}?lang=${tag}">`)
        const sent = { headers: { ...headers, 'content-type': formType }, body: 'broken=%FF' }
        const refused = await dashboard.request('POST', `${path}?lang=${tag}`, sent)
        t.equal(refused.statusCode, 400)
        t.match(shown(refused.body), `lang="${tag}"`, `${path}: the answer to its form`)
      }
      for (const lang of ['', 'xx', 'FR', 'fr&lang=ja'])
        t.match(shown((await dashboard.get(`${path}?lang=${lang}`, { headers })).body), 'lang="de"', lang)
    }
  },
)

t.test('the choice of a language keeps the page to come back to, also when signing in fails', async (t) => {
  const dashboard = await startDashboard(t)
  const next = '/secrets/new?folder=x&after=y'
  const expected = languages.map((tag) => `/login?next=${encodeURIComponent(next)}&lang=${tag}`)
  const asked = await dashboard.get(`/login?next=${encodeURIComponent(next)}`)
  t.same(languageUrls(asked.body), expected)
  const { body } = await dashboard.get(expected[1] ?? '')
  t.match(shown(body), 'lang="de"')
  t.match(unescaped(body), `name="next" value="${next}"`)
  const wrong = await dashboard.post('/login?lang=de', { email: 'a@b.c', password: 'x', next })
  t.match([wrong.statusCode, shown(wrong.body)], [401, 'lang="de"'])
  t.same(languageUrls(wrong.body), expected)
  t.match(body, '<a href="/login/reset?lang=de">')
  const reset = await dashboard.post('/login/reset?lang=de', { email: 'a@example.org' })
  t.equal(reset.headers.location, '/login?reset-asked=1&lang=de')
})

t.test('on an owner’s pages the setting chooses the language, not the address', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { body } = await dashboard.get('/settings?lang=de', { as: owner })
  t.match(shown(body), 'lang="en"')
  t.same(languageUrls(body), [])
})

// Promise (The owner's pages): The language can be chosen in the footer of every page, which is then shown again
t.test('the footer of an owner’s page offers each language, and the page is shown again in it', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  for (const path of ['/dashboard', '/help', '/settings/tokens', '/secrets/new?folder=x']) {
    const { body } = await dashboard.get(path, { as: owner })
    const [footer = ''] = /<footer[^]*<\/footer>/.exec(body) ?? []
    t.match(footer, '<a href="/help">')
    t.match(footer, '<form class="languages" method="post" action="/settings/language"')
    for (const tag of languages) t.match(footer, `<button name="language" value="${tag}" lang="${tag}"`)
    const headers = { referer: `http://localhost:3000${path}` }
    const chosen = await dashboard.post('/settings/language', { language: 'de' }, { as: owner, headers })
    t.match(chosen, { statusCode: 303, headers: { location: path } })
    t.match((await dashboard.get(path, { as: owner })).body, '<html lang="de"')
  }
  for (const [referer, location] of [
    ['https://evil.example/dashboard/../x', '/dashboard'],
    ['https://evil.example//evil.example', '/dashboard'],
    ['/nonsense', '/settings?done=languageSaved'],
    ['http://localhost:3000/settings?done=nameSaved', '/settings?done=languageSaved'],
  ] as const) {
    const chosen = await dashboard.post(
      '/settings/language',
      { language: 'en' },
      { as: owner, headers: { referer } },
    )
    t.match(chosen, { statusCode: 303, headers: { location } }, referer)
  }
})

t.test('on the page of a form that was refused, the choice of a language leads to a page', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  const paths = await pathsOf(dashboard, things)
  const shownAt: Record<string, unknown> = {}
  for (const { path, url } of paths.filter(({ isOwners, methods }) => isOwners && methods.includes('POST'))) {
    const headers = { referer: `http://localhost:3000${path}` }
    const chosen = await dashboard.post('/settings/language', { language: 'de' }, { as: owner, headers })
    shownAt[url] = chosen.headers.location
    const { statusCode } = await dashboard.get(String(chosen.headers.location), { as: owner })
    t.equal(statusCode, ['/folders/:id', '/settings/password'].includes(url) ? 303 : 200, url)
  }
  t.match(shownAt, {
    '/secrets/delete': '/dashboard',
    '/drafts/:id/note': `/drafts/${things.draft}`,
    '/settings/notifications/webhooks/:id/test': '/settings/notifications',
  })
})
