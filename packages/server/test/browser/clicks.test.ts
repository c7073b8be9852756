import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { newOwner } from './support/owner.ts'
import { startSite } from './support/site.ts'

// Promise (The owner's pages): A click right after a page has changed does what it is for
t.test('a click in the first moment of a page is not lost', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  const owner = await newOwner(site)
  const { page, context } = await openPage(t, browser, { width: 1280, reducedMotion: 'no-preference' })
  await owner.signIn(context)
  let done = 0
  await page.goto(`${site.origin}/settings/tokens`)
  const box = (await page.locator('#write').boundingBox())!
  const at = [box.x + box.width / 2, box.y + box.height / 2] as const
  for (let time = 0; time < 12; time += 1) {
    await page.goto(`${site.origin}/settings`)
    const arrived = page.waitForEvent('domcontentloaded')
    await page.locator('nav a[href="/settings/tokens"]').click({ noWaitAfter: true })
    await arrived
    await page.mouse.click(...at)
    await page.waitForLoadState()
    if (!(await page.locator('#write').isChecked())) done += 1
  }
  t.equal(done, 12)
})
