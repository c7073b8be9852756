import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage, plainHost, stopClock } from './support/browser.ts'
import { startSite } from './support/site.ts'
import { states, submit } from './support/states.ts'

/** Texts that HTML, shells or clipboards may change. */
const trickyNotes: Record<string, string> = {
  'line ends of every kind': 'unix\nwindows\r\nold mac\rend',
  'blank at both ends': '\n\n  text \t\n\n',
  'a line feed first': '\ntext',
  'a carriage return first': '\r\ntext\r',
  tabs: 'a\tb\n\tc',
  markup:
    '</pre><script>document.title="run"</script><img src=x onerror="document.title=\'run\'">&amp;&#13;&lt;<!--',
  'right to left': 'مرحبا\nhello\nשלום 123',
  'directions turned over': 'user\u202egnp.exe\u2066x\u2069\u200f',
  'one long line': 'x'.repeat(5_000),
  'odd characters': '\ufeff\u0001\u0085\u2028\u00a0\u00ad😀\u{10ffff}',
}

const shownNote = (page: Page): Promise<string> =>
  page.evaluate('document.getElementById("note").textContent')

t.test('opening a link in a browser', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)

  for (const scripts of [true, false]) {
    await t.test(scripts ? 'with scripts' : 'without scripts', async (t) => {
      await t.test('viewing costs nothing, pressing the button costs one open', async (t) => {
        const { page } = await openPage(t, browser, { scripts })
        const { secret, url } = await site.share({ openLimit: 2, note: 'the note', label: 'the label' })
        await page.goto(url)
        await page.reload()
        t.equal(site.opens(secret), 0)
        await submit(page)
        t.equal(site.opens(secret), 1)
        t.equal(await shownNote(page), 'the note')
        t.equal(await page.textContent('h1'), 'the label')
        t.equal(await page.title(), 'Confidential message – Sotto')
        t.match(await page.textContent('main'), 'It can be opened 1 more time')
      })

      await t.test('a reload after opening asks first', async (t) => {
        const { page } = await openPage(t, browser, { scripts })
        const { secret, url } = await site.share({ openLimit: 3, note: 'the note' })
        await page.goto(url)
        await submit(page)
        for (let reload = 0; reload < 3; reload += 1) {
          await page.reload()
          t.equal(await page.textContent('h1'), 'You have opened this message already')
        }
        t.equal(site.opens(secret), 1)
        await submit(page)
        t.equal(site.opens(secret), 2)
        t.equal(await shownNote(page), 'the note')
      })

      await t.test('going back after opening costs nothing', async (t) => {
        const { page } = await openPage(t, browser, { scripts })
        const { secret, url } = await site.share({ openLimit: 3 })
        await page.goto(url)
        await submit(page)
        await page.goBack()
        t.equal(site.opens(secret), 1)
        await submit(page)
        const opened = await page.locator('#note').count()
        t.equal(site.opens(secret), opened === 1 ? 2 : 1, 'the button opened it again, or the page asked')
      })

      await t.test(
        'a wrong password is reported, its field has the focus, and the right one opens',
        async (t) => {
          const { page } = await openPage(t, browser, { scripts })
          const { url } = await site.share({ password: 'rïght päss', note: 'the note' })
          await page.goto(url)
          t.equal(await focusedId(page), '', 'at first nothing has the focus')
          await submit(page, 'wrong')
          t.equal(await page.textContent('[role=alert] a'), 'That password is not right.')
          t.equal(await focusedId(page), 'password')
          t.equal(await page.inputValue('#password'), '')
          await submit(page, 'rïght päss')
          t.equal(await shownNote(page), 'the note')
        },
      )

      await t.test('every note is shown exactly, and nothing in it is interpreted', async (t) => {
        const { page, complaints } = await openPage(t, browser, { scripts, width: 320 })
        for (const [kind, note] of Object.entries(trickyNotes)) {
          await page.goto((await site.share({ note, label: '<b>label</b> &amp;' })).url)
          await submit(page)
          t.equal(await shownNote(page), note, kind)
          t.equal(await page.textContent('h1'), '<b>label</b> &amp;', kind)
          t.equal(await page.locator('main img, main b, main script').count(), 0, kind)
          t.equal(await page.title(), 'Confidential message – Sotto', kind)
          t.ok(await page.evaluate('document.documentElement.scrollWidth <= 320'), `${kind} fits`)
          t.same(complaints, [], kind)
        }
      })
    })
  }

  await t.test('copying gives the note, character by character', async (t) => {
    const { page, context } = await openPage(t, browser)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin })
    for (const [kind, note] of Object.entries(trickyNotes)) {
      await page.goto((await site.share({ note })).url)
      await submit(page)
      await page.click('[data-copy]')
      await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
      t.equal(await page.evaluate('navigator.clipboard.readText()'), note, kind)
    }
  })

  await t.test('copying works on plain http, where scripts have no clipboard', async (t) => {
    const plain = await startSite(t, plainHost)
    const note = trickyNotes['line ends of every kind'] ?? ''
    const { page, context } = await openPage(t, browser)
    await page.goto((await plain.share({ note })).url)
    await submit(page)
    t.equal(await page.evaluate('typeof navigator.clipboard'), 'undefined')
    await page.click('[data-copy]')
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
    await context.grantPermissions(['clipboard-read'], { origin: site.origin })
    await page.goto(site.origin)
    t.equal(await page.evaluate('navigator.clipboard.readText()'), note)
  })

  await t.test('a failed copy is reported', async (t) => {
    const { page } = await openPage(t, browser)
    await page.addInitScript(
      'navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false',
    )
    await page.goto((await site.share()).url)
    await submit(page)
    await page.click('[data-copy]')
    await page.getByRole('status').filter({ hasText: 'Copying did not work.' }).waitFor()
    t.pass('it is reported')
  })

  await t.test('the keyboard alone is enough', async (t) => {
    const { page } = await openPage(t, browser)
    await page.goto((await site.share({ password: 'right', note: 'the note' })).url)
    const { keyboard } = page
    await keyboard.press('Tab')
    t.equal(await focusedId(page), 'password')
    t.ok(
      await page.evaluate('getComputedStyle(document.activeElement).outlineStyle !== "none"'),
      'the focus is visible',
    )
    await keyboard.type('rigth')
    await keyboard.press('Tab')
    await keyboard.press('Space')
    t.equal(await page.getAttribute('#password', 'type'), 'text', 'the password is shown')
    await keyboard.press('Shift+Tab')
    await keyboard.type('right')
    await keyboard.press('Enter')
    await page.waitForSelector('#note')
    t.equal(await shownNote(page), 'the note')
    await keyboard.press('Tab')
    t.equal(await focusedId(page), 'copy-note')
  })

  await t.test('a visible password is hidden before it is sent', async (t) => {
    const { page } = await openPage(t, browser)
    await page.goto((await site.share({ password: 'right' })).url)
    await page.click('[data-peek]')
    await page.fill('#password', 'right')
    await page.evaluate(`addEventListener('submit', (event) => {
      event.preventDefault()
      document.title = document.getElementById('password').type
    })`)
    await page.click('button[type=submit]')
    t.equal(await page.title(), 'password')
  })

  await t.test('pressing the button several times opens once and shows the note', async (t) => {
    const { page } = await openPage(t, browser)
    const { secret, url } = await site.share({ openLimit: 5, note: 'the note' })
    await page.goto(url)
    await page.evaluate(`addEventListener('submit', () => {
      sessionStorage.status = document.querySelector('[role=status]').textContent
    })`)
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.method()))
    const release = site.hold()
    t.teardown(release)
    const { x, y, width, height } = (await page.locator('button[type=submit]').boundingBox())!
    // Clicks of the mouse do not wait for the answer.
    for (let press = 0; press < 3; press += 1) await page.mouse.click(x + width / 2, y + height / 2)
    release()
    await page.waitForSelector('#note')
    t.same(sent, ['POST'])
    t.equal(await page.evaluate('sessionStorage.status'), 'Opening…', 'the page said so')
    t.equal(site.opens(secret), 1)
    t.equal(await shownNote(page), 'the note')
  })

  await t.test('times are in the reader’s time zone, or in UTC without scripts', async (t) => {
    const { url } = await site.share()
    for (const [scripts, text, title] of [
      [true, '20 December 2026 at 21:57', '20 December 2026 at 21:57 GMT+9'],
      [false, '20 December 2026 at 12:57 UTC', '20 December 2026 at 12:57 UTC'],
    ] as const) {
      const { page } = await openPage(t, browser, { scripts, timezoneId: 'Asia/Tokyo' })
      await page.goto(url)
      await page.dispatchEvent('time', 'mouseover')
      t.same([await page.textContent('time'), await page.getAttribute('time', 'title')], [text, title])
    }
  })

  await t.test('a locked link offers to try again once its time is over', async (t) => {
    const { page } = await openPage(t, browser)
    await stopClock(page)
    await states.locked(page, site)
    const again = page.getByRole('link', { name: 'Try again' })
    const seconds = Number(await page.getAttribute('[data-after]', 'data-after'))
    t.equal(seconds, 30 * 60)
    t.notOk(await again.isVisible(), 'not at first')
    await page.clock.runFor((seconds - 2) * 1_000)
    t.notOk(await again.isVisible(), 'not before its time')
    await page.clock.runFor(3_000)
    t.ok(await again.isVisible())
  })

  await t.test('a print shows the message and no controls', async (t) => {
    const { page } = await openPage(t, browser)
    await page.goto((await site.share()).url)
    await submit(page)
    await page.emulateMedia({ media: 'print' })
    t.ok(await page.isVisible('#note'))
    t.notOk(await page.isVisible('[data-copy]'))
    t.notOk(await page.isVisible('footer'))
  })
})

const focusedId = (page: Page): Promise<string> => page.evaluate('document.activeElement.id')
