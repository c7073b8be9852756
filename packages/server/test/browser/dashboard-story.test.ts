import type { Browser, Page } from 'playwright-core'
import t from 'tap'
import { arrive, browserOptions, launchBrowser, openPage, type Scope } from './support/browser.ts'
import { invite, ownerPassword } from './support/owner.ts'
import { startSite, type Site } from './support/site.ts'
import { submit } from './support/states.ts'

// Promise (Sealed at rest): The pages work with scripts and without, from the invitation to signing out
t.test('the whole story of an owner', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  for (const scripts of [true, false]) {
    await t.test(scripts ? 'with scripts' : 'without scripts', async (t) => {
      const site = await startSite(t)
      const { page, complaints } = await openPage(t, browser, { scripts, width: 1024 })
      const { email, url } = await invite(site)

      await t.test('the invited owner chooses a password, and makes a folder', async (t) => {
        await page.goto(url)
        await page.getByLabel('Password').fill(ownerPassword)
        await press(page, 'Save password and sign in')
        t.equal(await page.textContent('h1'), 'Secrets')
        await page.getByRole('heading', { name: 'New folder' }).click()
        await page.getByLabel('Title').fill('Customers')
        await press(page, 'Create')
        t.equal(await said(page), 'The folder is ready.')
      })

      await t.test('a recipient opens the first secret, and the owner sees it', async (t) => {
        await newSecret(page, { label: 'Mail server', password: 'otter' })
        const opened = await open(t, browser, await linkOf(page), 'otter')
        t.equal(await opened.textContent('#note'), 'the note')
        t.match(await page.textContent('main'), 'Not opened')
        await page.reload()
        t.match(await page.textContent('main'), '2 of 3 left')
        t.equal(await page.locator('.timeline li', { hasText: /^Opened/ }).count(), 1)
      })

      await t.test('a destroyed secret is gone from the list, and its link is dead', async (t) => {
        await newSecret(page, { label: 'By mistake' })
        const link = await linkOf(page)
        await press(page, 'Delete')
        t.equal(await page.textContent('h1'), 'Delete this secret?')
        await press(page, 'Delete')
        t.equal(await said(page), 'The secret is deleted.')
        t.same(await page.locator('.items a').allTextContents(), ['Mail server'])
        const { page: recipient } = await openPage(t, browser)
        t.equal((await recipient.goto(link))?.status(), 404)
      })

      await t.test('an access token works until it is deleted', async (t) => {
        await follow(page, 'Settings')
        await follow(page, 'Access tokens')
        await page.getByLabel('Name').fill('A program')
        await press(page, 'New token')
        const authorization = `Bearer ${(await page.textContent('#token')) ?? ''}`
        const folders = () => fetch(`${site.origin}/api/folders`, { headers: { authorization } })
        t.match(await (await folders()).text(), 'Customers')
        await follow(page, 'Done')
        await press(page, 'Delete')
        await press(page, 'Delete')
        t.equal(await said(page), 'The access token is deleted.')
        t.equal((await folders()).status, 401)
      })

      await t.test('the other session ends, this one goes on', async (t) => {
        const other = await signIn(t, browser, site, email)
        t.equal(await other.textContent('h1'), 'Secrets')
        await follow(page, 'Sessions')
        const row = page.getByRole('listitem').filter({ hasText: 'Other session' })
        await row.getByRole('button', { name: 'End session' }).click()
        await page.getByText('The session is ended.').waitFor()
        await other.reload()
        t.equal(await other.textContent('h1'), 'Sign in')
      })

      // Promise (Sealed at rest): After signing out, the browser's back button shows nothing
      await t.test('after signing out, going back shows nothing', async (t) => {
        await follow(page, 'Secrets')
        t.match(await page.textContent('main'), 'Mail server')
        await press(page, 'Sign out')
        t.equal(await said(page), 'You are signed out.')
        await page.goBack()
        t.equal(await page.textContent('h1'), 'Sign in')
        t.notMatch(await page.content(), 'Mail server')
      })
      t.same(complaints, [], 'no errors on the console')
    })
  }
})

async function press(page: Page, name: string): Promise<void> {
  await arrive(page, () => page.getByRole('button', { name }).click())
}

async function follow(page: Page, name: string): Promise<void> {
  await arrive(page, () => page.getByRole('link', { name }).click())
}

const said = (page: Page): Promise<string | null> => page.textContent('.banner')

const linkOf = async (page: Page): Promise<string> => (await page.textContent('#link')) ?? ''

async function newSecret(
  page: Page,
  { label, password = '' }: { readonly label: string; readonly password?: string },
): Promise<void> {
  await follow(page, 'New secret')
  await page.getByLabel('Folder').selectOption('Customers')
  await page.getByLabel('Title (optional)').fill(label)
  await page.getByLabel('Text').fill('the note')
  await page.getByRole('radio', { name: '3 times' }).check()
  await page.getByRole('radio', { name: '1 day' }).check()
  await page.getByLabel('Password (optional)').fill(password)
  await page.getByLabel('Tell me when it is opened').check()
  await press(page, 'Create link')
  await page.getByRole('heading', { name: label }).waitFor()
}

async function open(scope: Scope, browser: Browser, link: string, password: string): Promise<Page> {
  const { page } = await openPage(scope, browser)
  await page.goto(link)
  await submit(page, password)
  return page
}

async function signIn(scope: Scope, browser: Browser, site: Site, email: string): Promise<Page> {
  const { page } = await openPage(scope, browser)
  await page.goto(site.origin)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(ownerPassword)
  await press(page, 'Sign in')
  return page
}
