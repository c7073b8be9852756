import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { browserOptions, launchBrowser, openPage, plainHost } from './support/browser.ts'
import { newOwner, type Owner } from './support/owner.ts'
import { openNewFolder, press } from './support/owner-states.ts'
import { startForeignPage, startSite, type Site } from './support/site.ts'

/** What a foreign page may send beside its form. */
const ways: Readonly<Record<string, Record<string, string>>> = {
  'a form': {},
  'a form of a page that hides its address': { 'referrer-policy': 'no-referrer' },
  'a form in a sandbox': { 'content-security-policy': 'sandbox allow-forms' },
}

// Promise (Sealed at rest): Forms and frames of other origins change and show nothing
t.test('another origin changes nothing on the owner’s pages', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())

  // Browsers send Sec-Fetch-Site to localhost, and only Origin to plain http elsewhere.
  for (const hostname of ['localhost', plainHost]) {
    const site = await startSite(t, hostname)
    const owner = await newOwner(site)
    const folder = await owner.folder('Folder')
    const { id } = await owner.share(folder, { label: 'Label' })
    const forms: Readonly<Record<string, string>> = {
      'a new folder': form(site, '/folders', { label: 'Foreign' }),
      'a new secret': form(site, '/secrets/new', {
        folder: folder.id,
        label: 'Foreign',
        note: 'x',
        action: 'create',
      }),
      'destroying a secret': form(site, `/secrets/${id}/destroy`, {}),
      'a new token': form(site, '/settings/tokens', { name: 'x', read: 'on', expires: '30' }),
      'signing out': form(site, '/logout', {}),
    }
    const html = Object.values(forms).join('')
    for (const [way, headers] of Object.entries(ways)) {
      await t.test(`${way}, to ${hostname}`, async (t) => {
        const { page, context } = await openPage(t, browser)
        await owner.signIn(context)
        const port = await startForeignPage(t, { html, headers })
        for (const [at, what] of Object.keys(forms).entries()) {
          await page.goto(`http://localhost:${String(port)}/`)
          await press(page, `form:nth-of-type(${String(at + 1)}) button`)
          t.equal(await page.textContent('h1'), 'This did not come from our page', what)
        }
        t.same(await belongings(site, owner), { folders: ['Folder', 'Inbox'], secrets: ['Label'], tokens: 0 })
        await page.goto(`${site.origin}/dashboard`)
        t.equal(await page.textContent('h1'), 'Secrets', 'the owner is still signed in')
      })
    }

    await t.test(`a frame around the pages of ${hostname} stays empty`, async (t) => {
      for (const path of ['/dashboard', `/secrets/${id}/destroy`, '/login']) {
        const { page, context } = await openPage(t, browser)
        await owner.signIn(context)
        const port = await startForeignPage(t, { html: `<iframe src="${site.origin}${path}"></iframe>` })
        await page.goto(`http://localhost:${String(port)}/`)
        const frame = page.frames()[1]
        t.ok(frame, 'there is a frame')
        t.notMatch(await frame?.content(), /Secrets|Destroy|Sign in/, path)
      }
    })

    await t.test(`its own page can, on ${hostname}`, async (t) => {
      const { page, context } = await openPage(t, browser)
      await owner.signIn(context)
      await page.goto(`${site.origin}/dashboard`)
      await openNewFolder(page)
      await page.fill('#label', 'Own')
      await press(page, '.rail form button')
      t.same((await belongings(site, owner)).folders.toSorted(), ['Folder', 'Inbox', 'Own'])
    })
  }
})

function form({ origin }: Site, path: string, fields: Readonly<Record<string, string>>): string {
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
  return `<form method="post" action="${origin}${path}">${inputs.join('')}<button>Send</button></form>`
}

/** What the owner has. */
async function belongings({ sotto }: Site, { account: { id: accountId } }: Owner) {
  const folders: string[] = []
  const secrets: string[] = []
  let tokens = 0
  for await (const page of sotto.listFolders({ accountId })) {
    folders.push(...expectOk(page).items.map(({ label }) => label))
  }
  for await (const page of sotto.browseSecrets({ accountId })) {
    secrets.push(...expectOk(page).items.map(({ label }) => label))
  }
  for await (const page of sotto.listAccessTokens({ accountId })) tokens += expectOk(page).items.length
  return { folders, secrets, tokens }
}
