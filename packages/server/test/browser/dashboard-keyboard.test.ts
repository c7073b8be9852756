import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { ownerStates, type OwnerStateName } from './support/owner-states.ts'
import { startSite } from './support/site.ts'

const states: readonly OwnerStateName[] = [
  'sign-in',
  'dashboard',
  'search-found',
  'delete-selected',
  'new-secret',
  'secret-opened',
  'draft',
  'dashboard-rail',
  'folder-renamed',
  'drafts',
  'settings-proof',
  'tokens',
  'sessions',
  'notifications',
  'destroy',
]

// Promise (Sealed at rest): The keyboard reaches every control, and its focus is visible and not cut off
t.test('the keyboard alone reaches every control, visibly', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const name of states) {
    await t.test(name, async (t) => {
      const { page } = await openPage(t, browser)
      await ownerStates[name](page, site)
      await page.evaluate(`document.activeElement.blur()`)
      const expected = await controls(page)
      t.ok(expected.length > 2, 'the page has controls')
      const reached = new Set<string>()
      for (let press = 0; press <= expected.length; press += 1) {
        await page.keyboard.press('Tab')
        const { control, isVisible, isCut } = await focused(page)
        if (control !== '') t.ok(isVisible, `the focus is visible at ${control}`)
        t.notOk(isCut, `the ring of the focus is whole at ${control}`)
        reached.add(control)
      }
      t.same(
        expected.filter((control) => !reached.has(control)),
        [],
        'every control is reached',
      )
    })
  }
})

t.test('a secret is written and created by the keyboard alone', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const { page } = await openPage(t, browser)
  await ownerStates['new-secret'](page, await startSite(t))
  await page.keyboard.type('the note')
  for (let press = 0; press < 20 && !(await isTitle(page)); press += 1) await page.keyboard.press('Tab')
  await page.keyboard.type('By keyboard')
  for (let press = 0; press < 20 && !(await isCreate(page)); press += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keyboard' }).waitFor()
  t.pass('it is there')
})

/** Everything that a pointer can press or fill, by a number that the page keeps; of a group of choices the chosen one, which Tab leads to. */
function controls(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('a[href], button, summary, input:not([type=hidden], [type=radio]:not(:checked)), select, textarea')]
    .filter((element) => element.checkVisibility())
    .map((element, at) => (element.dataset.at = at + ' ' + element.tagName + ' ' + (element.id || element.textContent)))`)
}

/** The ring is cut off where an element around the control has overflow that is not visible, and ends before the ring does. */
function focused(page: Page): Promise<{ control: string; isVisible: boolean; isCut: boolean }> {
  return page.evaluate(`(() => {
    const element = document.activeElement
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
    const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset)
    const ring = element.getBoundingClientRect()
    let isCut = false
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflow === 'visible') continue
      const edge = around.getBoundingClientRect()
      isCut ||= ring.left - reach < edge.left || ring.right + reach > edge.right || ring.top - reach < edge.top || ring.bottom + reach > edge.bottom
    }
    return { control: element.dataset.at || '', isVisible: outlineStyle !== 'none', isCut }
  })()`)
}

function isTitle(page: Page): Promise<boolean> {
  return page.evaluate(`document.activeElement.id === 'label'`)
}

function isCreate(page: Page): Promise<boolean> {
  return page.evaluate(`document.activeElement.matches('.send button')`)
}
