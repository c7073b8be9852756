import { languages } from '@sotto/core'
import type { Page, Response } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import {
  doubleText,
  hasStuckBox,
  narrowButtons,
  overflow,
  smallTargets,
  tooWide,
  violations,
} from './support/examine.ts'
import { ownerStateNames, ownerStates, statesWithStuckBox } from './support/owner-states.ts'
import { startSite } from './support/site.ts'
import { states } from './support/states.ts'

/** How the states are shown: narrow and wide, light and dark, in both writing directions, with scripts and without. */
const looks = [
  { width: 320, colorScheme: 'light', locale: 'en-GB', scripts: true },
  { width: 1280, colorScheme: 'dark', locale: 'ar-EG', scripts: false },
] as const

/** The largest is a list of 40 long titles beside 22 folders. A letter of Arabic takes two bytes. */
const pageMaxBytes = { 'en-GB': 43 * 1024, 'ar-EG': 45 * 1024 } as const

// Promise (Sealed at rest): Every state passes axe, fits 320 CSS pixels, also with text of twice its size (WCAG 2.2, 1.4.4, 1.4.10), loads nothing beside itself and has at most 43 KiB, 45 in Arabic
t.test('every state of the owner is accessible, fits and is small', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const look of looks) {
    await t.test(Object.values(look).join(' '), async (t) => {
      const { page, complaints, foreignRequests, allowScripts, reset } = await openPage(t, browser, look)
      const loaded = watchLoads(page)
      for (const name of ownerStateNames) {
        await reset()
        loaded.parts.length = 0
        await ownerStates[name](page, site)
        await allowScripts()
        t.same(await violations(page), [], `${name}: axe finds nothing`)
        t.equal(await page.locator('h1').count(), 1, `${name}: one heading`)
        t.equal(await page.getAttribute('html', 'dir'), look.locale.startsWith('ar') ? 'rtl' : 'ltr', name)
        t.ok((await overflow(page)) <= 0, `${name}: it fits its width`)
        t.same(await smallTargets(page), [], `${name}: controls are large enough`)
        t.same(await narrowButtons(page), [], `${name}: buttons are wide enough`)
        t.ok(await isFaultFocused(page), `${name}: the focus is at the first fault`)
        t.notMatch(await page.title(), /Wi-Fi|Lindenhof|alarm|xxx/, `${name}: no label in the title`)
        t.same(complaints, [], `${name}: no errors on the console`)
        t.same(foreignRequests, [], `${name}: no requests to other hosts`)
        t.same(loaded.parts, [], `${name}: nothing but the page is loaded`)
        const bytes = await loaded.bytes()
        t.comment(`${name}: ${String(bytes)} bytes`)
        t.ok(bytes <= pageMaxBytes[look.locale], `${name}: ${String(bytes)} bytes`)
        t.ok(
          !(await hasStuckBox(page)) || statesWithStuckBox.includes(name),
          `${name} is in the list of stuck-boxes.test.ts`,
        )
        await doubleText(page)
        t.same(await tooWide(page), [], `${name}: it fits with text of twice its size`)
      }
    })
  }
})

t.test(
  'labels of several lines begin where their page does, whatever their own direction',
  browserOptions(),
  async (t) => {
    const browser = await launchBrowser()
    t.teardown(() => browser.close())
    const { page } = await openPage(t, browser, { width: 1280, locale: 'ar' })
    await ownerStates.dashboard(page, await startSite(t))
    const unaligned = await page.evaluate(
      `[...document.querySelectorAll('.secrets bdi, .folders bdi')].flatMap((label) => {
      const range = document.createRange()
      range.selectNodeContents(label)
      const rights = [...range.getClientRects()].map(({ right }) => Math.round(right))
      return new Set(rights).size > 1 ? [label.textContent, rights] : []
    })`,
    )
    t.same(unaligned, [])
  },
)

t.test('lists and forms with files fit 320 pixels in every language', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const locale of languages) {
    const { page, reset } = await openPage(t, browser, { width: 320, locale })
    for (const name of ['dashboard', 'new-secret-files', 'draft-files', 'new-request', 'tokens'] as const) {
      await reset()
      await ownerStates[name](page, site)
      t.ok((await overflow(page)) <= 0, `${name} in ${locale}`)
      await doubleText(page)
      t.same(await tooWide(page), [], `${name} in ${locale} with text of twice its size`)
    }
  }
})

t.test(
  'on a phone the QR code of a request keeps its distance from the button',
  browserOptions(),
  async (t) => {
    const browser = await launchBrowser()
    t.teardown(() => browser.close())
    const { page } = await openPage(t, browser)
    await ownerStates.request(page, await startSite(t))
    const button = await page.getByRole('button', { name: 'Copy link' }).boundingBox()
    const code = await page.locator('.qr').boundingBox()
    t.ok((code?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0) >= 12)
  },
)

t.test(
  'on a phone the buttons that send a text are in one row in every language',
  browserOptions(),
  async (t) => {
    const browser = await launchBrowser()
    t.teardown(() => browser.close())
    const site = await startSite(t)
    for (const locale of languages) {
      const { page, reset } = await openPage(t, browser, { locale })
      for (const name of ['new-secret', 'draft'] as const) {
        await reset()
        await ownerStates[name](page, site)
        const rows: unknown = await page.evaluate(
          `new Set([...document.querySelectorAll('.send button')].map((button) => {
          const { top, height } = button.getBoundingClientRect()
          return Math.round(top + height / 2)
        })).size`,
        )
        t.equal(rows, 1, `${name} in ${locale}`)
      }
    }
  },
)

t.test('the text of a button below a field begins where the field does', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)
  for (const locale of ['en-GB', 'ar']) {
    const { page, reset } = await openPage(t, browser, { locale })
    for (const name of ['sign-in', 'new-secret', 'secret-new', 'password'] as const) {
      await reset()
      await { ...ownerStates, ...states }[name](page, site)
      const apart: unknown =
        await page.evaluate(`[...document.querySelectorAll('[data-peek], [data-insert], #copy-message')].map((button) => {
        const field = document.getElementById(button.dataset.peek || button.dataset.insert || 'link').getBoundingClientRect()
        const first = document.createRange()
        first.selectNodeContents(button)
        const text = first.getBoundingClientRect()
        const apart = document.dir === 'rtl' ? field.right - text.right : text.left - field.left
        return Math.round(apart)
      })`)
      t.ok(
        Array.isArray(apart) && apart.length > 0 && apart.every((each) => each === 0),
        `${name} in ${locale}: ${String(apart)}`,
      )
    }
  }
})

t.test('on a phone both buttons of the sign-in are as wide as the form', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const { page } = await openPage(t, browser)
  await ownerStates['sign-in'](page, await startSite(t))
  const [password, passkey] = await Promise.all(
    ['Sign in', 'Use a passkey'].map((name) => page.getByRole('button', { name }).boundingBox()),
  )
  t.equal(passkey?.width, password?.width)
})

/** The bytes of the page that was loaded last, and everything that pages loaded beside themselves. */
function watchLoads(page: Page): { readonly parts: string[]; bytes(): Promise<number> } {
  const parts: string[] = []
  let last: Response | undefined
  page.on('request', (request) => {
    if (!request.isNavigationRequest() && !request.url().startsWith('data:')) parts.push(request.url())
  })
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest() && response.status() !== 303
    if (isPage) last = response
  })
  return { parts, bytes: async () => (await last?.body())?.length ?? 0 }
}

/** Whether the first field with a fault has the focus; true when there is no fault. */
function isFaultFocused(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const first = document.querySelector('[aria-invalid]')
    return first === null || first === document.activeElement
  })()`)
}
