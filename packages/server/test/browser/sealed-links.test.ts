import type { Browser, Page } from 'playwright-core'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { browserOptions, launchBrowser, openPage, plainHost } from './support/browser.ts'
import { canary, shareSealed as share } from './support/sealed.ts'
import { startSite, type Site } from './support/site.ts'
import { submit } from './support/states.ts'

const fileName = 'كشف 2026 \u202egnp.pdf'
const fileBytes = Buffer.alloc(200_000, 'canary 4711 ')

/** What the page shows of what belongs to a state. */
const shown = (page: Page): Promise<string> =>
  page.evaluate(
    '[...document.querySelectorAll("[data-when]")].filter((each) => !each.hidden).map((each) => each.tagName + " " + each.dataset.when).join()',
  )

const hash = (page: Page): Promise<string> => page.evaluate('location.hash')
const noteOf = (page: Page): Promise<string | null> => page.textContent('#note')

/** Every request of the page, with its body. */
function recordRequests(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:'))
      sent.push(`${request.method()} ${request.url().split('#')[0]} ${request.postData() ?? ''}`)
  })
  return sent
}

t.test('sealed links in a browser', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  await opening(t, browser, site)
  await refusals(t, browser, site)
  await files(t, browser, site)
})

async function opening(t: Test, browser: Browser, site: Site): Promise<void> {
  // Promise (Encrypted in the browser): The key never leaves the browser, and the page of a link has one script, besides which its policy
  // allows none
  await t.test('a text is opened with the key, which is never sent', async (t) => {
    const { page, complaints, foreignRequests } = await openPage(t, browser)
    const sent = recordRequests(page)
    const { link, url, secret, key } = await share(site)
    const answer = await page.goto(link)
    t.match(
      answer?.headers()['content-security-policy'],
      /script-src 'sha256-[^' ]+';/,
      'one script, and no other',
    )
    t.notMatch(answer?.headers()['content-security-policy'], 'connect-src')
    t.match(await page.textContent('main'), 'Encrypted in the sender’s browser. This server cannot read it.')
    t.equal(await shown(page), 'FORM ready,SPAN ready')
    await submit(page)
    t.equal(await noteOf(page), canary)
    t.equal(site.opens(secret), 1)
    t.equal(page.url(), url, 'the key has left the address')
    t.equal(sent.length, 2, 'the page and its form')
    t.notMatch(sent.join('\n'), key)
    t.same([complaints, foreignRequests], [[], []])
  })

  await t.test(
    'with a password: a wrong one counts, is asked for again, and the right one opens',
    async (t) => {
      const { page, complaints } = await openPage(t, browser)
      const sent = recordRequests(page)
      const { link, secret, key } = await share(site, { password: 'geheïm' })
      await page.goto(link)
      await submit(page, 'wrong')
      t.match(await page.textContent('main'), 'That password is not right.')
      t.equal(await hash(page), `#${key}`, 'the key stays, and nothing else')
      t.equal(site.opens(secret), 0)
      await submit(page, 'gehei\u0308m')
      t.equal(await noteOf(page), canary, 'composed characters are the same password')
      t.equal(await hash(page), '')
      t.notMatch(sent.join('\n'), /gehe/)
      t.notMatch(sent.join('\n'), key)
      t.same(complaints, [])
    },
  )

  await t.test('a recipient who comes back can open it again with the same link', async (t) => {
    const { page } = await openPage(t, browser)
    const { link, secret } = await share(site)
    await page.goto(link)
    await submit(page)
    await page.reload()
    t.equal(await shown(page), 'P incomplete', 'the key is not in the address any more')
    t.notMatch(await page.innerText('main'), 'Anyone who has this link can read it')
    await page.goto(link)
    t.equal(await shown(page), 'FORM ready,SPAN ready')
    await submit(page)
    t.equal(await noteOf(page), canary)
    t.equal(site.opens(secret), 2)
  })

  await t.test('what mail programs put behind a link does no harm, nor does another language', async (t) => {
    const { page } = await openPage(t, browser)
    const { link, key } = await share(site)
    await page.goto(`${link}.)%3E`)
    t.equal(await shown(page), 'FORM ready,SPAN ready')
    await page.click('[lang=de]')
    await page.waitForURL('**/*lang=de*')
    t.match(await hash(page), `#${key}`)
    await submit(page)
    t.equal(await noteOf(page), canary)
  })

  await t.test('a link to another host does not get the key, wherever it leads there', async (t) => {
    const { page } = await openPage(t, browser)
    const { link, url } = await share(site)
    await page.route(url, async (route) => {
      const answer = await route.fetch()
      const foreign = `<a id="foreign" href="http://foreign.test${new URL(url).pathname}">x</a></main>`
      await route.fulfill({ response: answer, body: (await answer.text()).replace('</main>', foreign) })
    })
    await page.goto(link)
    t.equal(await shown(page), 'FORM ready,SPAN ready')
    t.equal(await page.evaluate(`document.querySelector('#foreign').hash`), '')
  })

  await t.test('a text is shown as it was, and markup in it is text', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    const text = '\ufeff\n\r\n</pre><script>document.title="run"</script>\rمرحبا\t '
    await page.goto((await share(site, { text })).link)
    await submit(page)
    t.equal(await noteOf(page), text)
    await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text }')
    await page.click('[data-copy=note]')
    t.equal(await page.evaluate('window.copied'), text)
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-save=note]')])
    t.equal(readFileSync(await download.path(), 'utf8'), text)
    t.same(complaints, [])
  })
}

async function refusals(t: Test, browser: Browser, site: Site): Promise<void> {
  await t.test(
    'without the key, or with a malformed one, there is no button, and nothing is opened',
    async (t) => {
      const { page } = await openPage(t, browser)
      const { url, link, key, secret } = await share(site, { password: 'p' })
      for (const fragment of [
        '',
        '#',
        `#${key.slice(1)}`,
        `#${key}A`,
        `#${key.slice(0, -1)}B`,
        `#x${key}`,
        `#${key}~x`,
      ]) {
        await page.goto('about:blank')
        await page.goto(url + fragment)
        t.equal(await shown(page), 'P incomplete', fragment)
        t.match(
          await page.textContent('main'),
          'This link is incomplete. The part after # is missing. Ask for the whole link. Nothing was opened.',
        )
        t.notMatch(await page.innerText('main'), 'this link and the password')
        t.notOk(await page.isVisible('button[type=submit]'))
      }
      await page.evaluate(`location.hash = '#${key}'`)
      await page.waitForSelector('form:not([hidden])')
      t.equal(
        await shown(page),
        'FORM ready,P ready,SPAN ready',
        'a changed fragment is read without a reload',
      )
      await submit(page, 'p')
      t.equal(await noteOf(page), canary)
      t.equal(site.opens(secret), 1)
      t.ok(link)
    },
  )

  await t.test('another secret’s key is refused before anything is counted', async (t) => {
    const { page } = await openPage(t, browser)
    const { url, secret } = await share(site, { openLimit: 1 })
    const { key } = await share(site)
    await page.goto(`${url}#${key}`)
    await submit(page)
    t.equal(await page.textContent('h1'), 'The key of this link is missing or wrong')
    t.equal(site.opens(secret), 0)
  })

  await t.test('a server that is busy is asked again with the key', async (t) => {
    const { page } = await openPage(t, browser)
    const { link, key } = await share(site)
    site.fail({ find: { code: 'storage_unavailable', reason: 'busy' } })
    await page.goto(link)
    for (const time of [1, 2]) {
      await Promise.all([page.waitForResponse((answer) => answer.status() === 503), page.click('main a')])
      await page.waitForLoadState()
      t.equal(await hash(page), `#${key}`, String(time))
    }
    site.fail()
    await Promise.all([page.waitForResponse((answer) => answer.status() === 200), page.click('main a')])
    await page.waitForSelector('form:not([hidden])')
    await submit(page)
    t.equal(await noteOf(page), canary)
  })

  await t.test('what cannot be decrypted says so, and can be saved as it is', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    const { note, link, secret } = await share(site, { openLimit: 1 })
    const changed = note.slice(0, -2) + (note.endsWith('AA') ? 'BB' : 'AA')
    await page.route(`${link.split('#')[0]}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: (await answer.text()).replace(note, changed) })
    })
    await page.goto(link)
    await submit(page)
    await page.waitForSelector('[data-when=undecryptable]:not([hidden])')
    t.match(await page.textContent('main'), 'The text could not be decrypted')
    t.notOk(await page.isVisible('#note'))
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-save=note]')])
    t.equal(readFileSync(await download.path(), 'utf8'), changed)
    t.equal(site.opens(secret), 1)
    t.same(complaints, [])
  })

  await t.test('without scripts the page says what it needs', async (t) => {
    const { page } = await openPage(t, browser, { scripts: false })
    const { link } = await share(site)
    await page.goto(link)
    t.match(await page.innerText('main'), 'This message needs JavaScript, or the command: sotto open')
    t.match(await page.innerText('main'), 'Anyone who has this link can read it')
    t.notOk(await page.isVisible('button[type=submit]'))
  })

  await t.test('over plain http the page asks for https', async (t) => {
    const plain = await startSite(t, plainHost)
    const { page } = await openPage(t, browser)
    const { link } = await share(plain)
    await page.goto(link)
    t.equal(await shown(page), 'P insecure')
    t.match(await page.innerText('main'), 'Open this link with https.')
  })
}

async function files(t: Test, browser: Browser, site: Site): Promise<void> {
  const given = [
    { name: fileName, bytes: new Uint8Array(fileBytes) },
    { name: '../empty', bytes: new Uint8Array() },
  ]

  await t.test('files are saved decrypted, under their own names', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    const { link } = await share(site, { files: given, openLimit: 1 })
    await page.goto(link)
    await submit(page)
    await page.waitForSelector('#note')
    t.same(await page.locator('.files bdi').allTextContents(), ['كشف 2026 \ufffdgnp.pdf', '..\ufffdempty'])
    t.same(await page.locator('.files small').allTextContents(), ['195 kB', '0 bytes'])
    for (const [at, { bytes }] of given.entries()) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#save-${at + 1}`)])
      t.ok(readFileSync(await download.path()).equals(Buffer.from(bytes)), `file ${at + 1}`)
      t.notMatch(download.suggestedFilename(), /[/\u202e]/)
    }
    t.same(complaints, [])
  })

  await t.test('a file alone has no text box; a changed file is not saved', async (t) => {
    const { page } = await openPage(t, browser)
    const { link } = await share(site, { files: given.slice(0, 1), text: '' })
    await page.goto(link)
    await submit(page)
    t.notOk(await page.isVisible('#note'))
    t.notOk(await page.isVisible('[data-save=note]'))
    await page.route('**/f/**', async (route) => {
      const answer = await route.fetch()
      const body = await answer.body()
      body[100_000] = (body[100_000] ?? 0) ^ 1
      await route.fulfill({ response: answer, body })
    })
    await page.click('#save-1')
    await page.getByText('The file could not be decrypted').waitFor()
    await page.unroute('**/f/**')
    await page.route('**/f/**', (route) => route.abort())
    await page.click('#save-1')
    await page.getByText('The file could not be fetched').waitFor()
    t.pass('each is said')
  })
}
