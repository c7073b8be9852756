import t from 'tap'
import { arrive, browserOptions, launchBrowser, openPage, plainHost } from './support/browser.ts'
import { startForeignPage, startSite } from './support/site.ts'
import { submit } from './support/states.ts'

t.test('a page of another origin cannot open a link', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())

  // Browsers send Sec-Fetch-Site to localhost, and only Origin to plain http elsewhere.
  for (const hostname of ['localhost', plainHost]) {
    const site = await startSite(t, hostname)
    const { secret, url } = await site.share({ note: 'the note' })
    const form = `<form method="post" action="${url}"><button>Send</button></form>`

    const ways: Record<string, { html: string; headers?: Record<string, string> }> = {
      'a form': { html: form },
      'a form of a page that hides its address': {
        html: form,
        headers: { 'referrer-policy': 'no-referrer' },
      },
      'a form in a sandbox': { html: form, headers: { 'content-security-policy': 'sandbox allow-forms' } },
    }
    for (const [way, foreign] of Object.entries(ways)) {
      await t.test(`${way}, to ${hostname}`, async (t) => {
        const port = await startForeignPage(t, foreign)
        const { page } = await openPage(t, browser)
        await page.goto(`http://localhost:${port}/`)
        const answered = page.waitForResponse((response) => response.request().method() === 'POST')
        await submit(page)
        t.equal((await answered).status(), 403)
        t.equal(await page.textContent('h1'), 'This request was not accepted')
        t.equal(site.opens(secret), 0)
        await arrive(page, () => page.click('main a'))
        t.equal(
          await page.textContent('h1'),
          'You have a confidential message',
          'the page offers a way to open the link',
        )
      })
    }

    await t.test(`a script, to ${hostname}`, async (t) => {
      const port = await startForeignPage(t, { html: '' })
      const { page } = await openPage(t, browser)
      await page.goto(`http://localhost:${port}/`)
      for (const mode of ['no-cors', 'cors']) {
        const sent = `fetch('${url}', { method: 'POST', mode: '${mode}' }).then(() => 'read', () => 'refused')`
        t.equal(await page.evaluate(sent), 'refused', mode)
      }
      t.equal(site.opens(secret), 0)
    })

    await t.test(`a frame, around ${hostname}`, async (t) => {
      const port = await startForeignPage(t, { html: `<iframe src="${url}"></iframe>` })
      const { page } = await openPage(t, browser)
      await page.goto(`http://localhost:${port}/`)
      const frame = page.frames()[1]
      t.notOk((await frame?.content())?.includes('confidential'), 'the frame is empty')
    })

    await t.test(`its own page can, on ${hostname}`, async (t) => {
      const { page } = await openPage(t, browser)
      await page.goto(url)
      await submit(page)
      t.equal(await page.textContent('#note'), 'the note')
      t.equal(site.opens(secret), 1)
      await page.reload()
      t.equal(await page.textContent('h1'), 'You have opened this message already', 'also after a reload')
    })
  }
})
