import { languages } from '@sotto/core'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { ownerStates } from './support/owner-states.ts'
import { startSite } from './support/site.ts'

t.test('statuses and titles of all rows begin at the same place', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const locale of ['en-GB', 'ar']) {
    const { page } = await openPage(t, browser, { locale, width: 1280 })
    await ownerStates.dashboard(page, site)
    for (const selector of ['.secrets small', '.secrets label > a']) {
      const starts: number[] = await page.evaluate(
        `[...document.querySelectorAll('${selector}')].map((each) => {
          const { left, right } = each.getBoundingClientRect()
          return document.dir === 'rtl' ? right : left
        })`,
      )
      t.equal(starts.length, 4)
      t.equal(new Set(starts).size, 1, `${selector} in ${locale}`)
    }
  }
})

t.test(
  'Delete selected is there while something is selected, and always without scripts',
  browserOptions(),
  async (t) => {
    const browser = await launchBrowser()
    t.teardown(() => browser.close())
    const site = await startSite(t)
    for (const scripts of [true, false]) {
      const { page } = await openPage(t, browser, { scripts })
      for (const name of ['dashboard', 'drafts', 'search-found'] as const) {
        await ownerStates[name](page, site)
        const button = page.getByRole('button', { name: 'Delete selected' })
        t.equal(await button.isVisible(), !scripts, `${name}: nothing is selected`)
        await page.getByRole('checkbox').first().check()
        t.equal(await button.isVisible(), true, `${name}: something is selected`)
        await page.getByRole('checkbox').first().uncheck()
        t.equal(await button.isVisible(), !scripts, `${name}: nothing is selected any more`)
        await page.context().clearCookies()
      }
    }
  },
)

t.test(
  'on a phone tabs and languages are on one line, which the keyboard scrolls',
  browserOptions(),
  async (t) => {
    const browser = await launchBrowser()
    t.teardown(() => browser.close())
    const site = await startSite(t)
    for (const locale of languages) {
      const { page, reset } = await openPage(t, browser, { locale })
      for (const [name, lines] of [
        ['dashboard', ['.tabs:not(.folders) a', '.languages button']],
        ['notifications', ['.tabs a', '.languages button']],
        ['sign-in', ['.languages a']],
      ] as const) {
        await reset()
        await ownerStates[name](page, site)
        for (const line of lines) {
          const items = page.locator(line)
          t.equal(await rowsOf(items), 1, `${name}: ${line} in ${locale}`)
          for (const each of [items.last(), items.first()]) {
            await each.focus()
            t.ok(await isInWindow(page, each), `${name}: ${line} in ${locale} is seen with the focus`)
          }
        }
      }
      await reset()
      await ownerStates.notifications(page, site)
      t.ok(
        await isInWindow(page, page.locator('.tabs [aria-current]')),
        `the tab of the page is seen in ${locale}`,
      )
    }
  },
)

async function rowsOf(items: Locator): Promise<number> {
  const boxes = await Promise.all((await items.all()).map((each) => each.boundingBox()))
  return new Set(boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2))).size
}

/** Whether an element is between the left and right edges of the window. */
async function isInWindow(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox()
  const width = page.viewportSize()?.width ?? 0
  return box !== null && box.x >= -0.5 && box.x + box.width <= width + 0.5
}
