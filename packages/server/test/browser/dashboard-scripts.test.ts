import { readFileSync } from 'node:fs'
import { languages } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import type { Page } from 'playwright-core'
import t from 'tap'
import { arrive, browserOptions, launchBrowser, openPage, plainHost, stopClock } from './support/browser.ts'
import { newOwner } from './support/owner.ts'
import { ownerStates } from './support/owner-states.ts'
import { startSite } from './support/site.ts'
import { states } from './support/states.ts'

t.test('what scripts add to the owner’s pages', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)

  await t.test('Copy link copies the link', async (t) => {
    const { page, context } = await openPage(t, browser)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin })
    await ownerStates['secret-new'](page, site)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), await page.textContent('#link'))
  })

  await t.test('after a reload a new secret no longer says that it is ready', async (t) => {
    const { page } = await openPage(t, browser)
    await ownerStates['secret-new'](page, site)
    const said = page.getByText('Your secret is ready')
    t.ok(await said.isVisible())
    await page.reload()
    t.ok(await page.getByRole('button', { name: 'Copy link' }).isVisible())
    t.equal(await said.count(), 0)
  })

  await t.test('what copies is as wide after it as before, in every language', async (t) => {
    for (const locale of languages) {
      const { page, context } = await openPage(t, browser, { locale, width: 1280 })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin })
      for (const [state, selector] of [
        ['secret-new', '#copy-link'],
        ['secret-new', '#copy-message'],
        ['dashboard', '.secrets .quiet'],
        ['opened', '#copy-note'],
      ] as const) {
        await context.clearCookies()
        await { ...ownerStates, ...states }[state](page, site)
        const button = page.locator(selector).first()
        const list = page.locator('.secrets')
        const done = await (selector.startsWith('#') ? button : list).getAttribute('data-done')
        const before = await button.boundingBox()
        await button.click()
        await page
          .locator(selector)
          .filter({ hasText: done ?? '' })
          .first()
          .waitFor()
        t.same(await button.boundingBox(), before, `${state} ${selector} in ${locale}`)
      }
    }
  })

  await t.test('another language keeps what was typed, and stores it nowhere', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    await ownerStates['new-secret'](page, site)
    await page.getByLabel('Text').fill('the note\nof two lines')
    await page.locator('#label').fill('Wi-Fi')
    await page.getByLabel('30 days').check()
    await page.getByLabel('Tell me when it is opened').check()
    await page.getByLabel('Password (optional)').fill('otter')
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('button', { name: 'Link erstellen' }).waitFor()
    t.equal(await page.getAttribute('html', 'lang'), 'de')
    t.equal(await page.getByLabel('Text').inputValue(), 'the note\nof two lines')
    t.equal(await page.locator('#label').inputValue(), 'Wi-Fi')
    t.equal(await page.locator('[name=expires]:checked').inputValue(), '2592000')
    t.equal(await page.locator('[name=notify]').isChecked(), true)
    t.equal(await page.locator('[name=password]').inputValue(), '')
    t.same(await page.evaluate('[sessionStorage.length, localStorage.length, history.state, name]'), [
      0,
      0,
      null,
      '',
    ])
    await arrive(page, () =>
      page.keyboard.press('Tab').then(() => page.getByRole('button', { name: 'Link erstellen' }).click()),
    )
    t.match(page.url(), /\/secrets\/[\da-f-]{36}/)
    t.same(complaints, [])
  })

  await t.test(
    'on the page of a request, too, and the text of a draft with a password is not lost',
    async (t) => {
      const { page, complaints, reset } = await openPage(t, browser)
      await states.request(page, site)
      await page.locator('#answer').fill('the answer')
      await page.getByRole('link', { name: 'Deutsch' }).click()
      await page.getByRole('button', { name: 'Senden' }).waitFor()
      t.equal(await page.locator('#answer').inputValue(), 'the answer')
      t.match(page.url(), /lang=de$/)
      await arrive(page, () => page.getByRole('button', { name: 'Senden' }).click())
      t.match(await page.textContent('h1'), 'Ihre Antwort ist angekommen')
      await reset()
      await ownerStates['draft-refused'](page, site)
      await page.locator('#note').fill('another note')
      await Promise.all([
        page.waitForResponse(/drafts/),
        page.getByRole('button', { name: 'Deutsch' }).click(),
      ])
      t.equal(await page.locator('#note').inputValue(), 'another note')
      t.same(complaints, [])
    },
  )

  await t.test('a failed copy is reported', async (t) => {
    const { page } = await openPage(t, browser)
    await page.addInitScript(
      'navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false',
    )
    await ownerStates['secret-new'](page, site)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('status').filter({ hasText: 'It could not be copied' }).waitFor()
    t.pass('it is reported')
  })

  await t.test('a password is shown, and hidden again before it is sent', async (t) => {
    const { page } = await openPage(t, browser)
    await ownerStates['sign-in'](page, site)
    t.equal(await page.getAttribute('#password', 'type'), 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    t.equal(await page.getAttribute('#password', 'type'), 'text')
    await page.evaluate(`addEventListener('submit', (event) => {
      event.preventDefault()
      document.title = document.getElementById('password').type
    })`)
    await page.fill('#email', 'ada@example.org')
    await page.fill('#password', 'x')
    await page.getByRole('button', { name: 'Sign in' }).click()
    t.equal(await page.title(), 'password')
  })

  await t.test('a suggested password is copied, also on plain http, which is said beside it', async (t) => {
    for (const shown of [site, await startSite(t, plainHost)]) {
      const { page, context } = await openPage(t, browser)
      if (shown === site)
        await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin })
      await ownerStates['new-secret'](page, shown)
      const field = page.getByLabel('Password (optional)')
      for (let time = 0; time < 2; time += 1) {
        await page.getByRole('button', { name: 'Suggest' }).click()
        await field.locator('..').getByRole('status').filter({ hasText: 'Copied' }).waitFor()
      }
      const password = await field.inputValue()
      if (shown === site) t.equal(await page.evaluate('navigator.clipboard.readText()'), password)
      await page.getByLabel('Text').focus()
      await page.keyboard.press('Control+V')
      t.equal(await page.getByLabel('Text').inputValue(), password)
      await arrive(page, () => page.getByRole('button', { name: 'Create link' }).click())
      t.equal(await page.locator('#link').count(), 1, 'it is not asked about')
    }
  })

  await t.test('a password that was changed is no longer said to be copied, or asked about', async (t) => {
    const { page } = await openPage(t, browser)
    await ownerStates['new-secret'](page, site)
    const field = page.getByLabel('Password (optional)')
    const status = field.locator('..').getByRole('status')
    await page.getByRole('button', { name: 'Suggest' }).click()
    await status.filter({ hasText: 'Copied' }).waitFor()
    await field.press('End')
    await field.press('x')
    t.equal(await status.textContent(), '')
  })

  await t.test(
    'a suggested password is new each time, shown, and asked about beside it unless it is copied',
    async (t) => {
      const { page } = await openPage(t, browser)
      await page.addInitScript(
        'navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false',
      )
      await stopClock(page)
      await ownerStates['new-secret'](page, site)
      const suggest = page.getByRole('button', { name: 'Suggest' })
      const field = page.getByLabel('Password (optional)')
      await suggest.click()
      const first = await field.inputValue()
      await suggest.click()
      const password = await field.inputValue()
      t.match(password, /^(?:[bdfghjklmnprstvz][aiou]){3}(?:-(?:[bdfghjklmnprstvz][aiou]){3}){2}$/)
      t.not(password, first)
      t.equal(await field.getAttribute('type'), 'text')
      await page.getByLabel('Text').fill('the note')
      await page.getByRole('button', { name: 'Create link' }).click()
      await field.locator('..').getByRole('status').filter({ hasText: 'is not copied yet' }).waitFor()
      t.equal(await page.evaluate('document.activeElement.id'), 'password')
      t.equal(await page.evaluate('getSelection().toString()'), password, 'it is ready to be copied')
      for (const part of ['#password', '.error[role=status]:not([data-problem])'])
        t.ok(await isUncovered(page, part), 'it can be seen')
      await page.keyboard.press('Control+C')
      await page.clock.runFor(50)
      await field.locator('..').getByRole('status').filter({ hasText: 'Copied' }).waitFor()
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
      const token = new URL((await page.textContent('#link')) ?? '').pathname.slice(1)
      t.equal((await site.sotto.openSecret({ token })).isOk(), false, 'without it the link opens nothing')
      t.equal(expectOk(await site.sotto.openSecret({ token, password })).note, 'the note')
    },
  )

  await t.test(
    'what is said about an empty field goes once it is filled, and not what is said about others',
    async (t) => {
      const { page, complaints } = await openPage(t, browser)
      await ownerStates['new-secret-empty'](page, site)
      await page.getByText('Write a text, or add a file.').first().waitFor()
      await page.keyboard.type('t')
      t.equal(await page.locator('#note-error, main [role=alert], [aria-invalid]').count(), 0)
      await ownerStates['new-secret-refused'](page, site)
      await page.locator('#password').pressSequentially('o')
      t.equal(await page.locator('#password-error, a[href="#password"]').count(), 0)
      await page.locator('#label').press('x')
      t.equal(await page.locator('#label-error, a[href="#label"]').count(), 2, 'it is still too long')
      t.same(complaints, [])
    },
  )

  await t.test('a new password is put into the text, where the cursor is', async (t) => {
    const { page } = await openPage(t, browser)
    await ownerStates['new-secret'](page, site)
    await page.getByLabel('Text').fill('before  after')
    await page.evaluate(`document.getElementById('note').setSelectionRange(7, 7)`)
    await page.getByRole('button', { name: 'Insert a new password' }).click()
    t.match(await page.getByLabel('Text').inputValue(), /^before \w{6}-\w{6}-\w{6} after$/)
  })

  await t.test('Ctrl and Enter creates the link, and Copy link has the focus then', async (t) => {
    const { page } = await openPage(t, browser)
    await ownerStates['new-secret'](page, site)
    await page.keyboard.type('the note')
    await arrive(page, () => page.keyboard.press('Control+Enter'))
    t.match(page.url(), /\/secrets\/[\da-f-]{36}$/)
    t.equal(await page.evaluate('document.activeElement.id'), 'copy-link')
    await page.getByRole('button', { name: 'Copy a message' }).waitFor()
  })

  await t.test('a download comes beside its page, whose button works again soon', async (t) => {
    const { page, context } = await openPage(t, browser)
    const owner = await newOwner(site)
    await owner.signIn(context)
    await stopClock(page)
    await page.goto(`${site.origin}/settings/download`)
    const button = page.getByRole('button', { name: 'Download' })
    for (const name of ['the first', 'another']) {
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
      t.equal(download.suggestedFilename(), 'sotto.json')
      const content = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
        account: { email: string }
      }
      t.equal(content.account.email, owner.email, name)
      t.equal(await button.getAttribute('aria-disabled'), 'true')
      await page.clock.fastForward(5_000)
      t.equal(await button.getAttribute('aria-disabled'), null)
    }
  })

  await t.test('the link of a row is copied, and the button says so', async (t) => {
    const { page, context } = await openPage(t, browser)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const owner = await newOwner(site)
    const { link } = await owner.share(await owner.folder('Folder'), { label: 'Alpha' })
    await owner.signIn(context)
    await stopClock(page)
    await page.goto(`${site.origin}/dashboard`)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    t.match(await page.evaluate('navigator.clipboard.readText()'), link.token)
  })

  await t.test('the counter counts bytes of UTF-8, and warns about a note that is too long', async (t) => {
    const { page } = await openPage(t, browser)
    await ownerStates['new-secret'](page, site)
    const counter = page.locator('[data-count]')
    t.notOk(await counter.isVisible(), 'not before most of the room is used')
    await page.fill('#note', `${'x'.repeat(55_000)}ä€😀\n`)
    t.equal(await counter.textContent(), '10,526 bytes left')
    await page.fill('#note', 'x'.repeat(65_537))
    t.equal(await counter.textContent(), '1 byte too long')
  })

  await t.test('the browser asks before unsaved text is lost, and only then', async (t) => {
    const { page } = await openPage(t, browser)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await ownerStates['new-secret'](page, site)
    await arrive(page, () => page.reload())
    t.same(asked, [], 'not before anything is typed')
    await page.keyboard.type('text')
    await page.goto(`${site.origin}/dashboard`)
    t.same(asked, ['beforeunload'])
    await page.goto(`${site.origin}/secrets/new`)
    await page.click('#label')
    await page.keyboard.type('Label')
    await page.getByLabel('Text').fill('the note')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Label' }).waitFor()
    t.same(asked, ['beforeunload'], 'not when it is sent')
  })

  await t.test('pressing a button twice creates one secret', async (t) => {
    const { page, context } = await openPage(t, browser)
    const owner = await newOwner(site)
    await owner.folder('Folder')
    await owner.signIn(context)
    await page.goto(`${site.origin}/secrets/new`)
    await page.fill('#label', 'Once')
    await page.fill('#note', 'the note')
    await page.getByRole('button', { name: 'Create link' }).dblclick()
    await page.getByRole('heading', { name: 'Once' }).waitFor()
    await page.goto(`${site.origin}/dashboard`)
    t.same(await shownRows(page), ['Once'])
  })

  await t.test('times are in the owner’s time zone, which a text for somebody else names', async (t) => {
    const shown: string[][] = []
    for (const scripts of [true, false]) {
      const { page } = await openPage(t, browser, { scripts, timezoneId: 'Asia/Tokyo' })
      await page.clock.setFixedTime('2026-11-21T03:00:00Z')
      await ownerStates['secret-new'](page, site)
      const texts = page.locator('.timeline time:last-child, #message time')
      for (const time of await texts.all()) {
        await time.dispatchEvent('mouseover')
        t.match(await time.getAttribute('title'), scripts ? /GMT\+9$/ : /UTC$/)
      }
      shown.push(await texts.allTextContents())
    }
    t.match(shown, [
      [/GMT\+9$/, /^\d+ December at \d+:\d+$/, /^(?:yesterday|today), \d+:\d+$/],
      [/UTC$/, /^\d+ December at \d+:\d+ UTC$/, /^today, \d+:\d+ UTC$/],
    ])
  })
})

/** Whether the middle of an element is in the window, and below nothing that sticks to an edge. */
function isUncovered(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const element = document.querySelector('${selector}')
    const { left, top, width, height } = element.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, top + height / 2) === element
  })()`)
}

async function shownRows(page: Page): Promise<string[]> {
  const rows = page.locator('.secrets > li a')
  return (await rows.allTextContents()).map((text) => text.trim())
}
