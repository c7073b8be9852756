import t from 'tap'
import { startDashboard } from './app.ts'

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
