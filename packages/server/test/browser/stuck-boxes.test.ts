import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { coveredFocus, hasStuckBox } from './support/examine.ts'
import { ownerStates, statesWithStuckBox } from './support/owner-states.ts'
import { startSite } from './support/site.ts'
import { states } from './support/states.ts'

const reached = [
  ...(['opened', 'opened-files'] as const).map((name) => [name, states[name]] as const),
  ...statesWithStuckBox.map((name) => [name, ownerStates[name]] as const),
]

// Promise (Sealed at rest): What has the focus is never covered by a box that sticks to an edge of the window (WCAG 2.2, 2.4.11)
t.test('the keyboard never leads below a box that sticks to an edge', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  let stuck = 0
  for (const size of [
    { width: 390, height: 664 },
    { width: 1280, height: 640 },
  ]) {
    const { page, reset } = await openPage(t, browser, size)
    for (const [name, reach] of reached) {
      await reset()
      await reach(page, site)
      await select(page)
      if (await hasStuckBox(page)) stuck += 1
      const covered: string[] = []
      for (const key of ['Tab', 'Shift+Tab'])
        for (let presses = await controls(page); presses > 0; presses -= 1) {
          await page.keyboard.press(key)
          covered.push(...(await coveredFocus(page)))
        }
      t.strictSame(covered, [], `${name} at ${size.width} pixels`)
    }
  }
  t.ok(stuck > 30, `${stuck} pages have one`)
})

t.test('in a window as low as the box, it does not stick', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const { page } = await openPage(t, browser, { width: 640, height: 360 })
  await ownerStates['new-secret'](page, await startSite(t))
  t.notOk(await hasStuckBox(page))
})

/** Selects the first secret of a list, which shows what can be done with those that are selected. */
async function select(page: Page): Promise<void> {
  const [first] = await page.locator('.secrets [type=checkbox]').all()
  if (first !== undefined) await first.check()
}

function controls(page: Page): Promise<number> {
  return page.evaluate(
    `[...document.querySelectorAll('a[href], button, summary, input:not([type=hidden]), select, textarea')].filter((element) => element.checkVisibility()).length`,
  )
}
