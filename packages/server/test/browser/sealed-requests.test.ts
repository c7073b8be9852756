import { readFileSync } from 'node:fs'
import { newRequestKeys, sealAnswer } from '@sotto/sealed'
import { expectOk } from '@sotto/test-kit'
import type { Browser, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { entriesOf, startTestServer, type TestServer } from '../support/installation.ts'
import { filesIn } from '../support/tree.ts'
import { arrive, browserOptions, launchBrowser, openPage, type OpenedPage } from './support/browser.ts'
import { violations } from './support/examine.ts'
import { newOwner, type Owner } from './support/owner.ts'
import type { Site } from './support/site.ts'

const canary = 'canary-text-4711'
const fileCanary = 'canary-bytes-0815 '
const nameCanary = 'canary-name-2342.pdf'
const file = { name: nameCanary, mimeType: 'application/pdf', buffer: Buffer.from(fileCanary.repeat(9_000)) }

/** The server on SQLite, an owner, and everything that the browser sends: addresses and bodies. */
interface World {
  readonly server: TestServer
  readonly owner: Owner
  readonly cwd: string
  readonly sent: string[]
  open(options?: {
    readonly asOwner?: boolean
    readonly scripts?: boolean
    readonly width?: number
  }): Promise<OpenedPage>
}

async function startWorld(t: Test, browser: Browser): Promise<World> {
  const cwd = t.testdir()
  const server = await startTestServer(t, cwd)
  const { sotto } = server.installation
  const owner = await newOwner({ sotto, origin: server.baseUrl } as Site)
  const { id: accountId } = owner.account
  expectOk(await sotto.setDisplayName({ accountId, displayName: 'Ada' }))
  await owner.folder('Customers')
  const sent: string[] = []
  return {
    ...{ server, owner, cwd, sent },
    async open({ asOwner = false, ...options } = {}) {
      const opened = await openPage(t, browser, options)
      if (asOwner) await owner.signIn(opened.context)
      opened.page.on('request', (request) => {
        sent.push(
          `${request.method()} ${request.url().split('#')[0] ?? ''} ${request.postDataBuffer()?.toString('latin1') ?? ''}`,
        )
      })
      return opened
    },
  }
}

const hash = (page: Page): Promise<string> => page.evaluate('location.hash')
const shownIn = (page: Page): Promise<string> => page.innerText('main')
const stored = (page: Page): Promise<string> => page.evaluate('JSON.stringify({ ...localStorage })')

/** Fills in the form of a request, and has its answers encrypted. */
async function ask(page: Page, { baseUrl }: TestServer, title = 'Passport'): Promise<void> {
  await page.goto(`${baseUrl}/requests/new`)
  await page.fill('[name=text]', 'Of your passport')
  await page.fill('[name=title]', title)
  await page.check('[name=files]')
  await page.fill('[name=answers]', '5')
  await page.check('[name=seal]')
  await arrive(page, () => page.click('main .send button'))
}

async function answer(page: Page, link: string, text: string): Promise<void> {
  await page.goto(link)
  await page.fill('#answer', text)
  await page.setInputFiles('[name=files]', file)
  await page.click('form[data-key] button[type=submit]')
}

t.test('requests with encrypted answers in a browser', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  await wholeWay(t, browser)
  await strangers(t, browser)
  await keys(t, browser)
  await refusedForms(t, browser)
})

async function wholeWay(t: Test, browser: Browser): Promise<void> {
  // Promise (Encrypted in the browser): What is handed in to a request with a key reaches the server encrypted, and no key of it does
  await t.test(
    'an owner asks, a stranger answers with a file, and the owner reads and saves both',
    async (t) => {
      const world = await startWorld(t, browser)
      const { server, owner, cwd, sent } = world
      const { page, complaints } = await world.open({ asOwner: true, width: 1280 })
      await ask(page, server)
      t.match(page.url(), /\/requests\/[0-9a-f-]{36}\?new=1$/, 'the key has left the address')
      const requestUrl = page.url().replace(/\?.*/, '')
      const link = (await page.textContent('#link')) ?? ''
      const ownerKey = (await page.textContent('#owner-key')) ?? ''
      const auth = link.split('#')[1] ?? ''
      t.match(auth, /^[\w-]{22}$/)
      t.match(ownerKey, /^[\w-]{64}$/)
      t.same(JSON.parse(await stored(page)), { [`sotto.request.${requestUrl.slice(-36)}`]: ownerKey })
      t.equal(await page.locator('.qr').count(), 0)
      t.same(await violations(page), [])

      const stranger = await world.open()
      await answer(stranger.page, link, `${canary}\nsecond line`)
      await stranger.page.getByText('Your answer was received').waitFor()
      t.equal(await hash(stranger.page), '')
      t.same(await stored(stranger.page), '{}')
      t.same(stranger.complaints, [])

      await page.goto(requestUrl)
      t.equal(await page.textContent('#link'), link, 'the key on the device makes the link whole')
      t.notOk(await page.isVisible('#owner-key'), 'the key is shown once')
      t.equal(await page.textContent('[data-note]'), `${canary}\nsecond line`)
      t.notMatch(await shownIn(page), 'Share\n')
      t.same(await violations(page), [])
      await arrive(page, () => page.click('.answers a'))
      t.equal(await page.textContent('#note'), `${canary}\nsecond line`)
      t.equal(await page.getByRole('link', { name: /^(Edit|Share)$/ }).count(), 0)
      t.match(await page.textContent('.files'), nameCanary)
      const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.files a')])
      t.equal(saved.suggestedFilename(), nameCanary)
      t.ok(readFileSync(await saved.path()).equals(file.buffer))
      const [text] = await Promise.all([page.waitForEvent('download'), page.click('[data-text] a')])
      t.equal(text.suggestedFilename(), 'Passport.txt')
      t.equal(readFileSync(await text.path(), 'utf8'), `${canary}\nsecond line`)
      t.same(await violations(page), [])
      await page.goto(`${server.baseUrl}/requests`)
      t.same(complaints, [])

      const { sotto } = server.installation
      const { id: accountId } = owner.account
      const drafts = await entriesOf(sotto.listDrafts({ accountId }))
      const notes = await Promise.all(
        drafts.map(async ({ id }) => JSON.stringify(expectOk(await sotto.getDraft({ accountId, id })))),
      )
      const files = filesIn(cwd).map((path) => readFileSync(path, 'latin1'))
      t.ok(sent.length > 8 && drafts.length === 1 && files.length > 2)
      for (const secret of [canary, fileCanary, nameCanary, auth, ownerKey])
        for (const place of [...sent, ...notes, ...files, server.log.join('\n')])
          t.notOk(place.includes(secret), `${secret} in ${place.slice(0, 80)}`)
    },
  )
}

async function strangers(t: Test, browser: Browser): Promise<void> {
  await t.test('a cut link, and a browser without scripts, have no form and say why', async (t) => {
    const world = await startWorld(t, browser)
    const { page: owner } = await world.open({ asOwner: true })
    await ask(owner, world.server)
    const link = (await owner.textContent('#link')) ?? ''
    const [url = '', auth = ''] = link.split('#')
    const { page, complaints } = await world.open()
    for (const cut of [url, `${url}#`, `${url}#${auth.slice(1)}`]) {
      await page.goto('about:blank')
      await page.goto(cut)
      t.match(await shownIn(page), 'This link is incomplete. The part after # is missing.')
      t.notOk(await page.isVisible('form[data-key]'))
    }
    t.same(await violations(page), [])
    await page.goto(link)
    t.ok(await page.isVisible('form[data-key]'), 'a changed fragment is read without a reload')
    t.match(await shownIn(page), 'This server cannot read it.')
    await page.goto('about:blank')
    await page.goto(`${link}.>`)
    t.ok(await page.isVisible('form[data-key]'), 'with what trails a link')
    await page.goto(link)
    await page.fill('#answer', 'typed')
    await page.getByText('Deutsch').click()
    await page.getByText('Dieser Server kann ihn nicht lesen.').waitFor()
    t.equal(await hash(page), `#${auth}`)
    t.equal(await page.inputValue('#answer'), 'typed')
    t.same(await violations(page), [])
    t.same(complaints, [])
    const without = await world.open({ scripts: false })
    await without.page.goto(link)
    t.match(await without.page.innerText('main'), 'This form needs JavaScript, or the command: sotto answer')
    t.notOk(await without.page.isVisible('form'))
  })

  await t.test('what is refused keeps what was typed, and is sent again', async (t) => {
    const world = await startWorld(t, browser)
    const { server } = world
    const { page: owner } = await world.open({ asOwner: true })
    await ask(owner, server)
    const link = (await owner.textContent('#link')) ?? ''
    const { page, complaints } = await world.open()
    await page.goto(link)
    const posts = () => world.sent.filter((each) => /^POST .*\/r\//.test(each)).length
    const press = async (said: string): Promise<void> => {
      await page.click('form[data-key] button[type=submit]')
      await page.getByRole('alert').filter({ hasText: said, visible: true }).waitFor()
    }
    await press('Please enter the text, or choose a file.')
    await page.fill('#answer', 'x'.repeat(65_537))
    await press('The text is longer than this service takes.')
    t.equal(posts(), 0, 'nothing was sent')
    await page.fill('#answer', canary)
    await page.setInputFiles('[name=files]', file)
    await page.route('**/r/*', (route) => route.abort())
    await press('The connection broke.')
    await page.unroute('**/r/*')
    await page.route('**/r/*', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'text/html',
        body: '<main><p role=alert>Too many.</p></main>',
      }),
    )
    await press('Too many.')
    await page.unroute('**/r/*')
    t.equal(await page.inputValue('#answer'), canary)
    t.same(await violations(page), [])
    await page.click('form[data-key] button[type=submit]')
    await page.getByText('Your answer was received').waitFor()
    t.same(
      complaints.filter((each) => !each.includes('ERR_FAILED')),
      [],
    )
    t.equal(
      await owner.goto(owner.url().replace(/\?.*/, '')).then(() => owner.locator('.answers > li').count()),
      1,
    )
  })
}

async function keys(t: Test, browser: Browser): Promise<void> {
  await t.test('a key is forgotten, put in again, and another one is refused', async (t) => {
    const world = await startWorld(t, browser)
    const { page, complaints } = await world.open({ asOwner: true })
    await ask(page, world.server)
    const requestUrl = page.url()
    const link = (await page.textContent('#link')) ?? ''
    const ownerKey = (await page.textContent('#owner-key')) ?? ''
    const { ownerKey: another } = await newRequestKeys()
    const kept = await stored(page)
    for (const fragment of ['', `#${another}`]) {
      await page.goto('about:blank')
      await page.goto(`${world.server.baseUrl}${new URL(requestUrl).pathname}${fragment}`)
      await page.getByText(link).first().waitFor()
      t.equal(await stored(page), kept, 'another key in the address is none')
    }
    const stranger = await world.open()
    await answer(stranger.page, link, canary)
    await stranger.page.getByText('Your answer was received').waitFor()
    await page.reload()
    await arrive(page, () => page.click('[data-forget]'))
    t.equal(await stored(page), '{}')
    t.notOk(await page.isVisible('#link'))
    t.notMatch(await shownIn(page), canary)
    t.match(await shownIn(page), 'The key of this request is not on this device.')
    t.same(await violations(page), [])
    for (const wrong of ['', 'x', another]) {
      await page.fill('#typed-key', wrong)
      await page.click('[data-panel] form button')
      await page.getByText('This is not the key of this request.').waitFor()
    }
    const path = (await page.getAttribute('.answers a', 'href')) ?? ''
    await page.goto(`${world.server.baseUrl}${path}`)
    t.notOk(await page.isVisible('#note'))
    t.same(await violations(page), [])
    await page.fill('#typed-key', ` ${ownerKey}\n`)
    await page.click('[data-panel] form button')
    await page.locator('#note').waitFor()
    t.equal(await page.textContent('#note'), canary)
    t.same(complaints, [])
  })

  await t.test('an answer that is for another key cannot be decrypted, and is saved as it is', async (t) => {
    const world = await startWorld(t, browser)
    const { sotto } = world.server.installation
    const { page, complaints } = await world.open({ asOwner: true })
    await ask(page, world.server)
    const token = /\/r\/([\w-]{43})#/.exec((await page.textContent('#link')) ?? '')?.[1] ?? ''
    const others = await newRequestKeys()
    const note = (await sealAnswer(others, { text: '<img src=x onerror=alert(1)>', files: [] })) ?? ''
    expectOk(await sotto.answerRequest({ token, address: 'a', note }))
    await page.goto(page.url())
    t.match(await shownIn(page), 'The text could not be decrypted')
    await arrive(page, () => page.click('.answers a'))
    await page.getByText('The text could not be decrypted').waitFor()
    t.notOk(await page.isVisible('#note'))
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('[data-undecrypted] a')])
    t.equal(readFileSync(await saved.path(), 'utf8'), note)
    t.same(await violations(page), [])
    t.same(complaints, [])
  })
}

async function refusedForms(t: Test, browser: Browser): Promise<void> {
  await t.test('a form that is sent again once the session is over has its key and its boxes', async (t) => {
    const world = await startWorld(t, browser)
    const { server, owner } = world
    const { page, context, complaints } = await world.open({ asOwner: true })
    await page.goto(`${server.baseUrl}/requests/new`)
    await context.clearCookies()
    await page.fill('[name=title]', 'Passport')
    await page.check('[name=files]')
    await page.check('[name=seal]')
    await arrive(page, () => page.click('main .send button'))
    t.match(await shownIn(page), 'You are signed out')
    const kept = await hash(page)
    t.match(kept, /^#[\w-]{64}$/)
    await owner.signIn(context)
    await arrive(page, () => page.click('main form button'))
    t.equal(await page.textContent('#owner-key'), kept.slice(1))
    t.match(await page.textContent('#link'), /#[\w-]{22}$/)
    const { sotto } = server.installation
    const [request] = await entriesOf(sotto.listRequests({ accountId: owner.account.id }))
    t.match(request, { key: /^[\w-]{87}$/, takesFiles: true })
    t.same(complaints, [])
  })

  await t.test('a form that is refused keeps its key, and one that is not ticked has none', async (t) => {
    const world = await startWorld(t, browser)
    const { server } = world
    const { page, complaints } = await world.open({ asOwner: true })
    await ask(page, server, '')
    t.match(page.url(), /\/requests\/new#[\w-]{64}$/)
    t.ok(await page.isChecked('[name=seal]'))
    const kept = await hash(page)
    t.same(await violations(page), [])
    await page.fill('[name=title]', 'Passport')
    await arrive(page, () => page.click('main .send button'))
    t.equal(await page.textContent('#owner-key'), kept.slice(1))
    const { ownerKey: another } = await newRequestKeys()
    await page.goto(`${server.baseUrl}/requests/new`)
    await page.check('[name=seal]')
    await page.evaluate(
      `document.querySelector('main form').addEventListener('submit', ({ target }) => { target.action = '#${another}' })`,
    )
    await arrive(page, () => page.click('main .send button'))
    t.equal(await hash(page), `#${another}`)
    await page.fill('[name=title]', 'Passport')
    await arrive(page, () => page.click('main .send button'))
    t.match(await page.textContent('#owner-key'), /^[\w-]{64}$/)
    t.not(
      await page.textContent('#owner-key'),
      another,
      'another key in the address is not taken for that of the form',
    )
    await page.goto(`${server.baseUrl}/requests/new`)
    await page.fill('[name=title]', 'Plain')
    await arrive(page, () => page.click('main .send button'))
    t.notMatch(await page.textContent('#link'), '#')
    t.equal(await page.locator('[data-panel]').count(), 0)
    t.same(complaints, [])
    const without = await world.open({ asOwner: true, scripts: false })
    await without.page.goto(`${server.baseUrl}/requests/new`)
    t.notOk(await without.page.isVisible('[name=seal]'))
  })
}
