import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { ownerStates, press } from './support/owner-states.ts'
import { startSite } from './support/site.ts'

// Promise (Sealed at rest): A refused form keeps everything but passwords, and the focus is at the first fault
t.test('a refused secret keeps all that was typed but its password', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  const { page } = await openPage(t, browser)
  const fields = { label: 'Wi-Fi', note: '\n two lines\n', count: '7' }
  for (const [missing, problem] of Object.entries({
    note: 'Write a text, or add a file.',
    count: 'Enter a whole number.',
  })) {
    await ownerStates['new-secret'](page, site)
    const typed: Record<string, string> = { ...fields, [missing]: missing === 'count' ? '1e3' : '' }
    await page.check('[name=opens][value=number]')
    await page.check('[name=expires][value="86400"]')
    for (const [name, value] of Object.entries(typed)) await fill(page, name, value)
    await fill(page, 'password', 'otter')
    await page.getByLabel('Tell me when it is opened').check()
    await press(page, '.send button')
    t.equal(await page.textContent(`#${missing}-error`), problem)
    t.equal(await page.evaluate('document.activeElement.id'), missing, 'the focus is there')
    for (const [name, value] of Object.entries(typed)) {
      // A field for a number shows nothing else.
      if (name !== missing) t.equal(await page.inputValue(`#${name}`), value, `${name} without ${missing}`)
    }
    t.ok(await page.isChecked('[name=expires][value="86400"]'))
    t.ok(await page.getByLabel('Tell me when it is opened').isChecked())
    t.equal(await page.inputValue('#password'), '')
    t.match(await page.textContent('#password-error'), 'Enter the password again')
  }
})

async function fill(page: Page, name: string, value: string): Promise<void> {
  // A field for a number takes nothing else.
  await page.evaluate(`document.getElementById('count').type = 'text'`)
  await page.fill(`#${name}`, value)
}
