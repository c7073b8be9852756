import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { newOwner } from './support/owner.ts'
import { press } from './support/owner-states.ts'
import { startSite } from './support/site.ts'

// Promise (Sealed at rest): Below 768 CSS pixels the folders are one disclosure, with scripts and without
t.test('the rail of folders', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const scripts of [true, false]) {
    await t.test(scripts ? 'with scripts' : 'without scripts', async (t) => {
      const { page, context } = await openPage(t, browser, { scripts, width: 767 })
      const owner = await newOwner(site)
      const folder = await owner.folder('Customers')
      await owner.share(folder, { label: 'Door' })
      await owner.signIn(context)
      await page.goto(`${site.origin}/dashboard?folder=${folder.id}`)
      const links = page.getByRole('navigation', { name: 'Folders' })
      const choice = page.locator('summary', { hasText: 'Customers' })
      t.equal(await links.isVisible(), false)
      await choice.click()
      await links.waitFor()
      await choice.click()
      t.equal(await links.isVisible(), false)
      await page.setViewportSize({ width: 768, height: 800 })
      // The window has its new width a moment later.
      await choice.waitFor({ state: 'hidden' })
      t.ok(await links.isVisible(), 'on wide screens it is always open')

      await page.getByText('Rename or delete').click()
      await page.fill('.part input[name=label]', 'Clients')
      await press(page, 'button:text-is("Rename")')
      t.equal(await page.textContent('h2 >> nth=-1'), 'Clients')
      await page.getByText('Rename or delete').click()
      await press(page, 'button:text-is("Delete folder")')
      t.match(await page.textContent('main'), 'Deleted with it: 1 secret.')
      await press(page, 'button:text-is("Delete folder")')
      t.equal(await page.textContent('.banner'), 'The folder is deleted.')
      t.equal(await links.getByText('Clients').count(), 0)
    })
  }
})
