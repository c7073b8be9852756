import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { startSite } from './support/site.ts'
import { states } from './support/states.ts'

/** What a phone shows of a page below the bars of its browser. */
const phone = { width: 390, height: 664 }

t.test(
  'a password is entered without scrolling on a phone, in every language',
  browserOptions(),
  async (t) => {
    const browser = await launchBrowser()
    t.teardown(() => browser.close())
    const site = await startSite(t)
    for (const locale of ['en-GB', 'de', 'fr', 'es', 'ar', 'ja']) {
      const { page, context } = await openPage(t, browser, { ...phone, locale })
      await states.password(page, site)
      t.ok(
        (await edges(page, '#password')).top < phone.height / 2,
        `${locale}: the field is in the upper half`,
      )
      t.ok((await edges(page, 'button')).bottom <= phone.height, `${locale}: the button is above the fold`)
      await states['wrong-password'](page, site)
      t.ok((await edges(page, 'button')).bottom <= phone.height, `${locale}: and after a wrong password`)
      await context.close()
    }
  },
)

t.test('the alert keeps its distance from the title', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const { page } = await openPage(t, browser, phone)
  await states['wrong-password'](page, await startSite(t))
  const distance = (await edges(page, '.alert')).top - (await edges(page, 'h1')).bottom
  t.ok(distance >= 16, `${distance} CSS pixels`)
})

t.test('a time breaks like the sentence around it', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const { page } = await openPage(t, browser, { width: 1024 })
  await states.waiting(page, await startSite(t))
  t.equal(await page.evaluate('getComputedStyle(document.querySelector("time")).whiteSpace'), 'normal')
})

/** Where an element begins and ends, in CSS pixels from the top of the unscrolled window. */
async function edges(page: Page, selector: string): Promise<{ top: number; bottom: number }> {
  const { y, height } = (await page.locator(selector).first().boundingBox())!
  return { top: y, bottom: y + height }
}
