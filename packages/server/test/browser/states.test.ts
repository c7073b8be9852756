import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { doubleText, overflow, smallTargets, tooWide, violations } from './support/examine.ts'
import { sealedStates } from './support/sealed.ts'
import { startSite } from './support/site.ts'
import { stateNames, states, type StateName } from './support/states.ts'

/** How the states are shown: narrow and wide, light and dark, in both writing directions, with scripts and without. */
const looks = [
  { width: 320, colorScheme: 'light', locale: 'en-GB', scripts: true },
  { width: 1280, colorScheme: 'dark', locale: 'ar-EG', scripts: false },
] as const

/** The states of the page of a request that takes files, and what each says. */
const requestsWithFiles: Partial<Record<StateName, string>> = {
  'request-files': 'Files alone are enough: at most 10',
  'request-files-too-large': 'A file is larger than 25 MB.',
  'request-files-too-many': 'There are more than 10 files.',
  'request-files-received': 'Your answer was received',
}

t.test('every state is accessible, fits and loads nothing from other hosts', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const look of looks) {
    await t.test(Object.values(look).join(' '), async (t) => {
      const { page, context, complaints, foreignRequests, allowScripts, reset } = await openPage(
        t,
        browser,
        look,
      )
      for (const name of stateNames) {
        await reset()
        await states[name](page, site)
        await allowScripts()
        t.same(await violations(page), [], `${name}: axe finds nothing`)
        t.equal(await page.locator('h1').count(), 1, `${name}: one heading`)
        t.equal(await page.getAttribute('html', 'lang'), look.locale.slice(0, 2), `${name}: its language`)
        t.equal(await page.getAttribute('html', 'dir'), look.locale.startsWith('ar') ? 'rtl' : 'ltr', name)
        t.ok((await overflow(page)) <= 0, `${name}: it fits its width`)
        t.same(await smallTargets(page), [], `${name}: controls are large enough`)
        await doubleText(page)
        t.same(await tooWide(page), [], `${name}: it fits with text of twice its size`)
        t.same(complaints, [], `${name}: no errors on the console`)
        t.same(foreignRequests, [], `${name}: no requests to other hosts`)
        t.same(await context.cookies(), [], `${name}: no cookies`)
      }
    })
  }
})

t.test('the page of a request with files is accessible in every look', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const width of [390, 1_280])
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints } = await openPage(t, browser, { width, colorScheme })
      for (const name of stateNames) {
        const said = requestsWithFiles[name]
        if (said === undefined) continue
        await states[name](page, site)
        const look = `${name} ${String(width)} ${colorScheme}`
        t.match(await page.textContent('main'), said, look)
        t.same(await violations(page), [], `${look}: axe finds nothing`)
        t.ok((await overflow(page)) <= 0, `${look}: it fits its width`)
        t.same(await smallTargets(page), [], `${look}: controls are large enough`)
        t.same(complaints, [], `${look}: no errors on the console`)
      }
    }
})

t.test('the pages of a sealed link are accessible in every look', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const [name, { reach, says, scripts = true }] of Object.entries(sealedStates))
    for (const width of [390, 1_280])
      for (const colorScheme of ['light', 'dark'] as const) {
        const look = `${name} ${String(width)} ${colorScheme}`
        const { page, context, complaints, allowScripts } = await openPage(t, browser, {
          ...{ width, colorScheme, scripts },
        })
        await reach(page, site)
        t.match(await page.innerText('main'), says, look)
        await allowScripts()
        t.same(await violations(page), [], `${look}: axe finds nothing`)
        t.equal(await page.locator('h1').count(), 1, `${look}: one heading`)
        t.ok((await overflow(page)) <= 0, `${look}: it fits its width`)
        t.same(await smallTargets(page), [], `${look}: controls are large enough`)
        await doubleText(page)
        t.same(await tooWide(page), [], `${look}: it fits with text of twice its size`)
        t.same(complaints, [], `${look}: no errors on the console`)
        await context.close()
      }
})

t.test('a title begins where its page does, whatever its own direction', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const { page } = await openPage(t, browser, { locale: 'ar' })
  await states.opened(page, await startSite(t))
  const right = (element: string): Promise<number> =>
    page.evaluate(
      `(() => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('${element}'))
        return range.getBoundingClientRect().right
      })()`,
    )
  t.equal(await right('h1'), await right('.letter .title'))
})
