import { utimesSync, writeFileSync } from 'node:fs'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { browserOptions, launchBrowser, openPage } from './support/browser.ts'
import { newOwner } from './support/owner.ts'
import { startSite } from './support/site.ts'

const mebibyte = 1_024 * 1_024
/** The largest file that is taken: more than a connection holds between a browser and a server that does not read. */
const fileMaxBytes = 25 * mebibyte

t.test('an upload in a browser', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)

  /** Shows the form of a new secret, filled in, with a file of so many bytes. */
  const fillIn = async (t: Test, bytes: number): Promise<Page> => {
    const { page, context } = await openPage(t, browser)
    const owner = await newOwner(site)
    await owner.folder('Folder')
    await owner.signIn(context)
    await page.goto(`${site.origin}/secrets/new`)
    await page.fill('#note', 'the note')
    await choose(page, bytes)
    return page
  }

  // Promise (Files): With script, the form says how far an upload is, and what became of it
  await t.test(
    'the bar says how much of the files has left, then the page says why they are refused',
    async (t) => {
      const page = await fillIn(t, fileMaxBytes + 1)
      const release = site.holdFiles(mebibyte)
      await create(page).click()
      await isUnderWay(t, page, fileMaxBytes + 1)
      const answered = page.waitForResponse(/secrets/)
      release()
      t.equal((await answered).status(), 413)
      await isUsableAgain(t, page, 'A file is larger than 25 MB.')
    },
  )

  await t.test('after a connection that broke in the middle the same files are sent again', async (t) => {
    const page = await fillIn(t, fileMaxBytes)
    const release = site.holdFiles(mebibyte)
    const connections = watchPosts()
    await create(page).click()
    await isUnderWay(t, page, fileMaxBytes)
    connections.reset()
    await isUsableAgain(t, page, 'The connection broke.')
    connections.keep()
    release()
    await create(page).click()
    await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
    t.equal(await page.locator('.files bdi').textContent(), 'large.bin')
  })

  await t.test('a file that has changed since it was chosen is named', async (t) => {
    const page = await fillIn(t, 1)
    const path = join(t.testdir({ 'large.bin': 'as it was chosen' }), 'large.bin')
    await page.setInputFiles('#files', path)
    writeFileSync(path, 'as it is now')
    // Browsers compare the seconds.
    utimesSync(path, 1, 1)
    await create(page).click()
    await isUsableAgain(t, page, 'large.bin has changed since you chose it')
  })

  await t.test('a proxy that takes no files as large as these is named', async (t) => {
    const page = await fillIn(t, 1)
    await page.route('**/secrets/new?*', (route) =>
      route.fulfill({ status: 413, body: '<h1>Too large</h1>' }),
    )
    await create(page).click()
    await isUsableAgain(t, page, 'A server on the way does not take files as large as these.')
  })
})

const create = (page: Page) => page.getByRole('button', { name: 'Create link' })
const bar = (page: Page) => page.getByRole('progressbar', { name: 'Sending the files…' })

/** Chooses a file past the look at its size that the page takes. */
async function choose(page: Page, bytes: number): Promise<void> {
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(${bytes})], 'large.bin'))
    document.getElementById('files').files = data.files
  })()`)
}

/** Resets the connection of the last form and of all that follow, until they are kept: a browser may try once more by itself. */
function watchPosts() {
  let socket: Socket | undefined
  let isReset = false
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage }
    if (request.method !== 'POST') return
    socket = request.socket
    if (isReset) socket.resetAndDestroy()
  }
  subscribe('http.server.request.start', onRequest)
  return {
    reset() {
      isReset = true
      socket?.resetAndDestroy()
    },
    keep: () => void unsubscribe('http.server.request.start', onRequest),
  }
}

/** While the server does not read, the bar is at the bytes that have left so far, and a text says the same. */
async function isUnderWay(t: Test, page: Page, bytes: number): Promise<void> {
  await bar(page).and(page.locator('[value]')).waitFor()
  let shown = await shownProgress(page)
  while (shown.value < mebibyte) shown = await shownProgress(page)
  const { value, max, title, text } = shown
  t.ok(value < max, `${value} of ${max} bytes`)
  t.ok(max > bytes && max < bytes + 10_000, 'of all bytes of the form')
  t.equal(text, `${megabytes(value)} of ${megabytes(max)}`)
  t.equal(title, text)
  t.equal(await page.getByRole('status').filter({ visible: true }).textContent(), 'Sending the files…')
  t.equal(await create(page).getAttribute('aria-disabled'), 'true', 'nothing is sent twice')
}

/** Rounded down to one digit. */
const megabytes = (bytes: number): string => `${Math.floor((bytes * 10) / mebibyte) / 10} MB`

/** The bar and its text at one time: both move while the system takes more bytes from the browser. */
function shownProgress(page: Page): Promise<{ value: number; max: number; title: string; text: string }> {
  return page.evaluate(`(() => {
    const { value, max, title, nextElementSibling } = document.querySelector('progress')
    return { value, max, title, text: nextElementSibling.textContent }
  })()`)
}

/** The form as it was filled in, with the reason above it, and nothing of the earlier try below it. */
async function isUsableAgain(t: Test, page: Page, reason: string): Promise<void> {
  await page.getByRole('alert').waitFor()
  t.match(await page.getByRole('alert').textContent(), reason)
  t.equal(await page.evaluate('document.activeElement.role'), 'alert', 'it has the focus')
  t.ok(await page.locator('progress').isHidden(), 'the bar is gone')
  t.equal(await page.locator('progress').getAttribute('value'), null, 'it starts anew the next time')
  t.equal(await page.textContent('progress + .hint'), '')
  t.equal(await page.textContent('.send [role=status]'), '')
  t.equal(await create(page).getAttribute('aria-disabled'), null)
  t.equal(await page.inputValue('#note'), 'the note')
  t.equal(await page.evaluate(`document.getElementById('files').files[0].name`), 'large.bin')
}
