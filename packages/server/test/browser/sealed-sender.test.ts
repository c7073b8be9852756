import { readdirSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openLink, type OpenedSecret } from '@sotto/client'
import { expectOk } from '@sotto/test-kit'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startTestServer } from '../support/installation.ts'
import { arrive, browserOptions, launchBrowser, openPage, plainHost } from './support/browser.ts'
import { smallTargets, violations } from './support/examine.ts'
import { newOwner, ownerPassword } from './support/owner.ts'
import { startSite, type Site } from './support/site.ts'

const box = (page: Page) => page.getByLabel('Encrypt in this browser')
const create = (page: Page) => page.getByRole('button', { name: 'Create link' })
const text = (page: Page) => page.locator('#note')

/** The parts of files as a browser sends them are not what was chosen. */
const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

async function opened(
  url: string,
  password?: string,
): Promise<Omit<OpenedSecret, 'files'> & { files: Record<string, string> }> {
  const secret = await openLink(url, { password })
  const files: Record<string, string> = {}
  for (const { name, stream } of secret.files)
    files[name] = await new Response(stream() as ReadableStream).text()
  return { ...secret, files }
}

t.test('a secret that is encrypted in the browser', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)

  /** The form of a new secret, of an owner with a folder. */
  const begin = async (t: Test, on: Site = site, options: Parameters<typeof openPage>[2] = {}) => {
    const { page, context, complaints } = await openPage(t, browser, options)
    const owner = await newOwner(on)
    await owner.folder('Folder')
    await owner.signIn(context)
    await page.goto(`${on.origin}/secrets/new`)
    return { page, context, complaints, owner }
  }

  /** The link that the page of a secret shows. */
  const linkOf = async (page: Page): Promise<string> => {
    await page.locator('#link').waitFor()
    return (await page.textContent('#link')) ?? ''
  }

  const send = async (page: Page): Promise<string> => {
    await create(page).click()
    await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
    return linkOf(page)
  }

  await t.test('is opened by the link that its page shows once', async (t) => {
    const { page, context, complaints } = await begin(t)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin })
    await text(page).fill('first line\nsecond line')
    await page.locator('#label').fill('Router')
    await box(page).check()
    const url = await send(page)
    t.match(url, /\/[\w-]{43}#[\w-]{22}$/)
    t.match(page.url(), /\/secrets\/[\da-f-]{36}$/, 'the key has left the address')
    t.equal(await page.evaluate('history.state'), null)
    t.match(
      await page.textContent('main'),
      'Copy the link now. Its key is not stored and cannot be shown again.',
    )
    t.equal(await page.locator('.qr, svg[role=img]').count(), 0)
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).first().waitFor()
    t.equal(await clipboard(), url)
    await page.getByRole('button', { name: 'Copy a message' }).click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).nth(1).waitFor()
    t.ok((await clipboard()).includes(`${url} It can be opened once`))
    t.same(await faultsOf(page), [])
    await page.reload()
    t.match(await page.textContent('main'), 'The key is only in the link that you copied.')
    t.same(await faultsOf(page), [])
    t.notOk(await page.locator('#link').isVisible())
    t.equal(
      await page
        .locator('main button:visible')
        .filter({ hasText: /copy|share/i })
        .count(),
      0,
    )
    t.match(await page.textContent('main'), 'Encrypted in the browser')
    await page.goto(`${site.origin}/dashboard`)
    t.match(await page.textContent('main'), 'encrypted in the browser')
    t.equal(await page.getByRole('button', { name: 'Copy link' }).count(), 0)
    t.match(await opened(url), { note: 'first line\nsecond line', label: 'Router', sealed: true })
    t.same(complaints, [])
  })

  await t.test('asks for its password, which the server does not learn', async (t) => {
    const { page } = await begin(t)
    await text(page).fill('the text')
    await page.locator('#password').fill('pa\u0308ssword')
    await box(page).check()
    const url = await send(page)
    t.match(await page.textContent('main'), 'The page also asks for the password.')
    await t.rejects(opened(url, 'password'), { code: 'unauthorized' })
    t.match(await opened(url, 'p\u00e4ssword'), { note: 'the text' })
  })

  await t.test('has files, also without a text, and nobody sees their names before', async (t) => {
    const { page } = await begin(t)
    await page.getByLabel('Recipients see names and sizes').check()
    await page.setInputFiles('#files', [
      file('plan.txt', 'of the house'),
      file('صورة.png', ''),
      file('big', 'x'.repeat(200_000)),
    ])
    t.match(await page.textContent('[data-chosen]'), /plan\.txt.*صورة\.png.*big/)
    await box(page).check()
    t.notOk(await page.getByLabel('Recipients see names and sizes').isVisible())
    const url = await send(page)
    t.match(await page.textContent('.attached'), '3 files')
    t.notMatch(await page.textContent('main'), /sealed|plan/)
    const look = (await (await fetch(url, { headers: { accept: 'application/json' } })).json()) as {
      data: object
    }
    t.match(look.data, { sealed: true })
    t.notOk('files' in look.data)
    t.match((await opened(url)).files, {
      'plan.txt': 'of the house',
      'صورة.png': '',
      big: 'x'.repeat(200_000),
    })
  })

  await t.test('a refused form has everything as it was entered, and takes another password', async (t) => {
    const { page } = await begin(t)
    await text(page).fill('the text')
    await page.locator('#label').fill('x'.repeat(256))
    await page.locator('#password').fill('one')
    await page.setInputFiles('#files', file('plan.txt', 'of the house'))
    await box(page).check()
    await create(page).click()
    await page.getByRole('alert').filter({ hasText: 'Use at most 255 characters.' }).waitFor()
    t.equal(page.url(), `${site.origin}/secrets/new`)
    t.equal(await text(page).inputValue(), 'the text')
    t.equal(await page.locator('#password').inputValue(), 'one')
    t.equal(await page.evaluate(`document.getElementById('files').files[0].name`), 'plan.txt')
    t.ok(await box(page).isChecked())
    await page.locator('#label').fill('Plan')
    await page.locator('#password').fill('another')
    const url = await send(page)
    await t.rejects(opened(url, 'one'), { code: 'unauthorized' })
    t.match(await opened(url, 'another'), { note: 'the text', files: { 'plan.txt': 'of the house' } })
  })

  for (const withFile of [false, true])
    await t.test(
      `what may have arrived is sent again as it was, ${withFile ? 'with' : 'without'} a file`,
      async (t) => {
        const { page } = await begin(t)
        await text(page).fill('the text')
        await page.locator('#password').fill('otter')
        if (withFile) await page.setInputFiles('#files', file('plan.txt', 'of the house'))
        await box(page).check()
        const stored: string[] = []
        await page.route('**/secrets/new?*', async (route) => {
          const answer = await route.fetch({ maxRedirects: 0 })
          stored.push(String(answer.headers()['location']).slice(9, 45))
          await (stored.length === 1 ? route.abort() : route.continue())
        })
        await create(page).click()
        await page.getByRole('alert').filter({ hasText: 'The connection broke.' }).waitFor()
        t.equal(await text(page).inputValue(), 'the text')
        const url = await send(page)
        const key = url.slice(url.indexOf('#'))
        t.equal(stored.length, 2)
        t.match(await opened(url, 'otter'), {
          note: 'the text',
          files: withFile ? { 'plan.txt': 'of the house' } : {},
        })
        await page.goto(`${site.origin}/secrets/${String(stored[0])}${key}`)
        t.match(
          await opened(await linkOf(page), 'otter'),
          { note: 'the text' },
          'the first one has the same key',
        )
      },
    )

  await t.test('a busy server, a proxy that refuses, and the end of the session lose nothing', async (t) => {
    const { page, context, owner } = await begin(t)
    await text(page).fill('the text')
    await box(page).check()
    const busy = '<!doctype html><main><h1>Busy</h1><p class="lead">The service is busy.</p></main>'
    for (const [status, body, said] of [
      [503, busy, 'The service is busy.'],
      [413, '<h1>Too large</h1>', 'A server on the way does not take files as large as these.'],
    ] as const) {
      await page.route('**/secrets/new?*', (route) =>
        route.fulfill({ status, contentType: 'text/html', body }),
      )
      await create(page).click()
      await page.getByRole('alert').filter({ hasText: said }).waitFor()
      await page.unroute('**/secrets/new?*')
    }
    await context.clearCookies()
    await create(page).click()
    await page.getByRole('link', { name: 'Sign in in a new tab' }).waitFor()
    t.equal(await text(page).inputValue(), 'the text')
    await owner.signIn(context)
    const url = await send(page)
    t.match(await opened(url), { note: 'the text' })
  })

  await t.test(
    'what the server cannot see is checked before anything is sent, and said at the field',
    async (t) => {
      const { page } = await begin(t)
      const posts: string[] = []
      page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
      await box(page).check()
      const refused = async (said: string) => {
        await create(page).click()
        await page.locator('#note-fault').filter({ hasText: said }).waitFor()
        t.equal(await page.evaluate('document.activeElement.id'), 'note')
        t.equal(await text(page).getAttribute('aria-invalid'), 'true')
        t.equal(await create(page).getAttribute('aria-disabled'), null)
      }
      await refused('Write a text, or add a file.')
      await text(page).fill('x'.repeat(65_537))
      t.equal(await page.textContent('#note-fault'), '')
      t.not(await text(page).getAttribute('aria-invalid'), 'true')
      await refused('This is too long: at most 65,536 bytes.')
      await page.evaluate(`document.getElementById('note').value = 'half \\ud83d of a pair'`)
      await refused('This contains a broken character.')
      // With the list of its files it is too long.
      await text(page).fill('x'.repeat(65_536))
      await page.setInputFiles('#files', file('plan.txt', 'of the house'))
      await refused('This is too long: at most 65,536 bytes.')
      t.same(posts, [])
      t.same(await faultsOf(page), [])
      await text(page).fill('x'.repeat(65_400))
      t.match(await opened(await send(page)), { note: 'x'.repeat(65_400) })
    },
  )

  await t.test('files count as they are sent', async (t) => {
    const { page } = await begin(t)
    const most = 26_214_400
    const choose = (size: number) =>
      page.evaluate(`(() => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(${size})], 'large.bin'))
        const input = document.getElementById('files')
        input.files = data.files
        input.dispatchEvent(new Event('change'))
      })()`)
    await choose(most)
    t.equal(await page.textContent('[data-problem]'), '')
    await box(page).check()
    t.match(await page.textContent('[data-problem]'), 'large.bin is larger than 25 MB.')
    await choose(most)
    t.match(await page.textContent('[data-problem]'), 'large.bin is larger than 25 MB.')
    t.equal(await page.locator('[data-chosen] li').count(), 0)
  })

  await t.test('a draft is refused in the page, which says why', async (t) => {
    const { page } = await begin(t)
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    const hint = page.locator('#draft-hint')
    await text(page).fill('the text')
    t.match(await hint.innerText(), /Anyone who controls the server can read/)
    await box(page).check()
    t.equal(
      await hint.innerText(),
      'A draft cannot be encrypted in the browser. To keep one, untick that box.',
    )
    t.equal(await page.getByRole('alert').filter({ visible: true }).count(), 0)
    await page.getByRole('button', { name: 'Keep as draft' }).click()
    await page.getByRole('status').filter({ hasText: 'A draft cannot be encrypted' }).waitFor()
    t.same(posts, [])
    t.equal(await create(page).getAttribute('aria-disabled'), null)
    await box(page).uncheck()
    await arrive(page, () => page.getByRole('button', { name: 'Keep as draft' }).click())
    t.match(page.url(), /\/drafts\//)
  })

  await t.test(
    'another language keeps the text and the box, and going back shows no encrypted text',
    async (t) => {
      const { page } = await begin(t)
      await text(page).fill('the text')
      await box(page).check()
      await page.getByRole('button', { name: 'Deutsch' }).click()
      await page.getByLabel('In diesem Browser verschlüsseln').waitFor()
      t.ok(await page.locator('#seal').isChecked())
      t.match(await page.innerText('#draft-hint'), /im Browser/)
      t.equal(await text(page).inputValue(), 'the text')
      await page.getByRole('button', { name: 'Link erstellen' }).click()
      await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
      const url = await linkOf(page)
      await page.goBack()
      t.notMatch(await text(page).inputValue(), 'sotto-sealed')
      await page.goForward()
      t.notOk(await page.locator('#link').isVisible(), 'its key is gone')
      t.match(await opened(url), { note: 'the text' })
    },
  )

  await t.test('the reminder of a password that is not copied comes first', async (t) => {
    const { page } = await begin(t)
    await page.addInitScript(
      'navigator.clipboard.writeText = () => Promise.reject(new Error()); document.execCommand = () => false',
    )
    await page.reload()
    await text(page).fill('the text')
    await box(page).check()
    await page.getByRole('button', { name: 'Suggest' }).click()
    const password = await page.locator('#password').inputValue()
    await create(page).click()
    await page.getByRole('status').filter({ hasText: 'is not copied yet' }).waitFor()
    t.match(await opened(await send(page), password), { note: 'the text' })
  })

  await t.test('pressing twice creates one', async (t) => {
    const { page } = await begin(t)
    await text(page).fill('the text')
    await page.locator('#password').fill('otter')
    await box(page).check()
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    await create(page).dblclick()
    await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
    t.equal(posts.length, 1)
  })

  await t.test('24 MiB', async (t) => {
    const { page } = await begin(t)
    await page.setInputFiles('#files', file('large.bin', Buffer.alloc(24 * 1_024 * 1_024, 'x')))
    await box(page).check()
    const began = performance.now()
    const url = await send(page)
    t.comment(`created in ${Math.round(performance.now() - began)} ms`)
    const { files } = await openLink(url)
    t.equal(files[0]?.size, 24 * 1_024 * 1_024)
  })

  await t.test('is not offered without script, without https, or where it is switched off', async (t) => {
    const shown = async (page: Page): Promise<boolean> => page.locator('#seal').isVisible()
    const { page: withScript } = await begin(t)
    t.ok(await shown(withScript))
    t.notOk(await shown((await begin(t, site, { scripts: false })).page), 'without script')
    const plain = await startSite(t, plainHost)
    const { page } = await begin(t, plain)
    t.equal(await page.evaluate('isSecureContext'), false)
    t.notOk(await shown(page), 'by http on another host')
    await text(page).fill('the text')
    await arrive(page, () => create(page).click())
    t.match(await linkOf(page), /[\w-]{43}$/, 'the form works without')
    const off = await startSite(t, 'localhost', { SOTTO_SEALING: 'off' })
    const without = (await begin(t, off)).page
    t.equal(await without.locator('#seal').count(), 0)
    t.notMatch(await without.content(), /data-seal|data-when|AES-GCM/)
  })

  await t.test('is chosen where it is to be, unless it is taken back', async (t) => {
    const ticked = await startSite(t, 'localhost', { SOTTO_SEALING: 'ticked' })
    const { page } = await begin(t, ticked)
    t.ok(await box(page).isChecked())
    await text(page).fill('the text')
    t.match(await send(page), /#[\w-]{22}$/)
    await page.goto(`${ticked.origin}/secrets/new`)
    await box(page).uncheck()
    await text(page).fill('the text')
    await page.locator('#label').fill('x'.repeat(256))
    await arrive(page, () => create(page).click())
    t.notOk(await box(page).isChecked(), 'a refused form keeps the choice')
    await page.locator('#label').fill('Label')
    await arrive(page, () => create(page).click())
    t.notMatch(await linkOf(page), '#')
  })

  await t.test('works where no files are taken', async (t) => {
    const small = await startSite(t, 'localhost', { SOTTO_FILE_MAX_BYTES: '0' })
    const { page } = await begin(t, small)
    await box(page).check()
    await text(page).fill('the text')
    await page.locator('#label').fill('x'.repeat(256))
    await create(page).click()
    await page.getByRole('alert').filter({ hasText: 'Use at most 255 characters.' }).waitFor()
    await page.locator('#label').fill('Label')
    t.match(await opened(await send(page)), { note: 'the text' })
  })
})

/** What axe finds, and controls that are too small. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  return [...(await violations(page)), ...(await smallTargets(page))]
}

/** Passes everything on to a port, and keeps what the browser sends. */
async function startRecorder(
  t: Test,
  port: () => number,
): Promise<{ readonly origin: string; readonly sent: Buffer[] }> {
  const sent: Buffer[] = []
  const server = createServer((socket) => {
    const on = connect(port(), '127.0.0.1')
    socket.on('data', (data) => void sent.push(data)).on('error', () => on.destroy())
    on.on('error', () => socket.destroy())
    socket.pipe(on).pipe(socket)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, sent }
}

t.test(
  'nothing of it is sent or stored but what nobody can read without its key',
  browserOptions(),
  async (t) => {
    const browser = await launchBrowser()
    t.teardown(() => browser.close())
    const cwd = t.testdir()
    let port = 0
    const { origin, sent } = await startRecorder(t, () => port)
    const server = await startTestServer(t, cwd, { env: { SOTTO_BASE_URL: origin } })
    port = Number(new URL(server.server.address).port)
    const { sotto } = server.installation
    const invited = expectOk(await sotto.inviteAccount({ email: 'ann@example.org' }))
    const session = expectOk(
      await sotto.choosePassword({ token: invited.token, password: ownerPassword, address: '127.0.0.1' }),
    )
    expectOk(await sotto.createFolder({ accountId: session.accountId, label: 'Folder' }))
    const { page, context, foreignRequests } = await openPage(t, browser)
    await context.addCookies([{ name: 'sotto', value: session.token, url: origin }])
    await page.goto(`${origin}/secrets/new`)
    await text(page).fill('canary-text')
    await page.locator('#label').fill('canary-title')
    await page.locator('#password').fill('canary-password')
    await page.setInputFiles('#files', file('canary-name.txt', 'canary-content'))
    await box(page).check()
    const urls: string[] = []
    page.on('request', (request) => urls.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await create(page).click()
    await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
    const url = (await page.textContent('#link')) ?? ''
    const secretPath = new URL(page.url()).pathname
    t.same(urls, ['POST /secrets/new', `GET ${secretPath}`, `GET ${secretPath}`])
    t.same(foreignRequests, [])
    const key = url.slice(url.indexOf('#') + 1)
    const stored = readdirSync(cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    const places = {
      sent: Buffer.concat(sent),
      stored: Buffer.concat(stored),
      log: Buffer.from(server.log.join('\n')),
    }
    t.ok(places.sent.includes('canary-title'), 'what is sent is seen here')
    t.ok(places.sent.includes('1.sealed'))
    for (const [place, bytes] of Object.entries(places))
      for (const canary of ['canary-text', 'canary-password', 'canary-name', 'canary-content', key])
        t.notOk(bytes.includes(canary), `${canary} is not ${place}`)
    t.match(await opened(url, 'canary-password'), {
      note: 'canary-text',
      files: { 'canary-name.txt': 'canary-content' },
    })
  },
)
