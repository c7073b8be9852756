import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { startSite } from './support/site.ts'
import { stateNames, states } from './support/states.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Where the states are looked at: narrow and wide, light and dark, in both directions, with scripts and without. */
const looks = [
  { width: 320, colorScheme: 'light', locale: 'en-GB', scripts: true },
  { width: 1280, colorScheme: 'dark', locale: 'ar-EG', scripts: false },
] as const

t.setTimeout(180_000)
t.test('every state, wherever it is looked at', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const look of looks) {
    await t.test(Object.values(look).join(' '), async (t) => {
      for (const name of stateNames) {
        const { page, context, complaints, strangers, allowScripts } = await openPage(t, browser, look)
        await states[name](page, site)
        await allowScripts()
        t.same(await violations(page), [], `${name}: nothing that axe finds`)
        t.equal(await page.locator('h1').count(), 1, `${name}: one heading`)
        t.equal(await page.getAttribute('html', 'lang'), look.locale.slice(0, 2), `${name}: its language`)
        t.equal(await page.getAttribute('html', 'dir'), look.locale.startsWith('ar') ? 'rtl' : 'ltr', name)
        t.ok((await overflow(page)) <= 0, `${name}: nothing sticks out`)
        t.same(await smallTargets(page), [], `${name}: everything to press is large enough`)
        t.same(complaints, [], `${name}: the browser does not complain`)
        t.same(strangers, [], `${name}: nobody else is asked`)
        t.same(await context.cookies(), [], `${name}: no cookies`)
        await context.close()
      }
    })
  }
})

/** Every rule of axe, those for best practice included. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } }
    const { violations: found } = await loaded.run()
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** How far the page is wider than its window, in CSS pixels. */
function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** What can be pressed and is lower than 40 CSS pixels (24 are asked by WCAG 2.2, 2.5.8). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('button, a, input:not([type=hidden]), label.peek')]
      .filter((element) => !(element.type === 'checkbox') && element.checkVisibility() && element.getBoundingClientRect().height < 40)
      .map((element) => element.outerHTML)`,
  )
}
