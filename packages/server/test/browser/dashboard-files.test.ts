import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage, stopClock } from './support/browser.ts'
import { chosenFiles } from './support/files.ts'
import { newOwner } from './support/owner.ts'
import { startSite } from './support/site.ts'
import { submit } from './support/states.ts'

const [photo, notes] = chosenFiles as [(typeof chosenFiles)[0], (typeof chosenFiles)[0]]
const mebibyte = 1_024 * 1_024

t.test('files in a browser', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const site = await startSite(t)

  /** Shows the form of a new secret to an owner with one folder. */
  const begin = async (page: Page, context: BrowserContext): Promise<void> => {
    const owner = await newOwner(site)
    await owner.folder('Folder')
    await owner.signIn(context)
    await page.goto(`${site.origin}/secrets/new`)
  }

  for (const scripts of [true, false]) {
    // Promise (Files): Files are sent by a form and saved by their recipient, with scripts and without
    await t.test(`files are sent and saved ${scripts ? 'with' : 'without'} scripts`, async (t) => {
      const { page, context, complaints, allowScripts } = await openPage(t, browser, { scripts })
      await begin(page, context)
      await page.fill('#note', 'the note')
      await page.setInputFiles('#files', chosenFiles)
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
      t.same(
        await namesIn(page),
        chosenFiles.map(({ name }) => name),
      )
      await page.goto((await page.textContent('#link')) ?? '')
      t.same(await namesIn(page), [], 'recipients do not see them before')
      await submit(page)
      for (const { name, buffer } of chosenFiles) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: `Save ${name}` }).click(),
        ])
        t.equal(download.suggestedFilename(), name)
        t.ok(readFileSync(await download.path()).equals(buffer), name)
      }
      t.equal(await page.textContent('#note'), 'the note', 'the page is still there')
      await allowScripts()
      t.same(complaints, [])
    })
  }

  for (const scripts of [true, false]) {
    // Promise (Files): A file alone can be sent, and no secret is without both text and file
    await t.test(`a file alone is sent and saved ${scripts ? 'with' : 'without'} scripts`, async (t) => {
      const { page, context, complaints, allowScripts } = await openPage(t, browser, { scripts })
      await begin(page, context)
      await page.setInputFiles('#files', [notes])
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.waitForURL(/new=1/)
      await page.goto((await page.textContent('#link')) ?? '')
      await submit(page)
      await page.getByText('You can save each file until').waitFor()
      t.equal(await page.locator('.last').count(), 1, 'that comes first, and nothing says that it is deleted')
      t.notMatch(await page.textContent('main'), /deleted|Copy/)
      t.equal(await page.locator('#note, [data-copy]').count(), 0, 'there is no text')
      const save = page.getByRole('link', { name: `Save ${notes.name}` })
      t.equal(await save.getAttribute('class'), 'button', 'to save it is what the page is for')
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      t.ok(readFileSync(await download.path()).equals(notes.buffer))
      await allowScripts()
      t.same(complaints, [])
    })
  }

  await t.test(
    'files stand before what recipients see of them, and the choice is sent before the files',
    async (t) => {
      const { page, context } = await openPage(t, browser)
      await begin(page, context)
      const [files, choice] = await Promise.all(
        ['#files', '#show-files'].map((each) => page.locator(each).boundingBox()),
      )
      t.ok((files?.y ?? Infinity) < (choice?.y ?? 0))
      const sent: unknown = await page.evaluate(
        "[...document.querySelector('#files').form.elements].map(({ name }) => name).filter((name) => name.endsWith('files'))",
      )
      t.strictSame(sent, ['show-files', 'files'])
    },
  )

  await t.test('files are added one after the other, listed with their sizes, and removed', async (t) => {
    const { page, context } = await openPage(t, browser)
    await begin(page, context)
    await page.setInputFiles('#files', [photo])
    await page.setInputFiles('#files', [notes])
    for (let time = 0; time < 2; time += 1) await page.setInputFiles('#files', import.meta.filename)
    const self = basename(import.meta.filename)
    t.same(await namesIn(page), [photo.name, notes.name, self], 'a file that was chosen twice is there once')
    t.same((await page.locator('.files small').allTextContents()).slice(0, 2), ['2.8 MB', '5 bytes'])
    await page.getByRole('button', { name: `Remove ${self}` }).click()
    await page.getByRole('button', { name: `Remove ${photo.name}` }).click()
    t.same(await namesIn(page), [notes.name])
    t.equal(await page.evaluate('document.activeElement.id'), 'files')
    await page.fill('#note', 'the note')
    await page.getByRole('button', { name: 'Keep as draft' }).click()
    await page.waitForURL(/draftSaved/)
    t.same(await namesIn(page), [notes.name])
    await page.getByRole('checkbox', { name: 'Remove' }).check()
    await page.setInputFiles('#files', [photo])
    await page.getByRole('button', { name: 'Keep as draft' }).click()
    await page.locator('[data-chosen] li').waitFor({ state: 'detached' })
    await page.getByText(photo.name).waitFor()
    t.same(await namesIn(page), [photo.name])
  })

  await t.test('files are dropped anywhere on the page, and a folder is not taken for one', async (t) => {
    const { page, context } = await openPage(t, browser)
    await begin(page, context)
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['dropped'], 'dropped.txt'))
      document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })()`)
    t.same(await namesIn(page), ['dropped.txt'])
    await page.evaluate(`(() => {
      DataTransferItem.prototype.webkitGetAsEntry = () => ({ isDirectory: true, name: 'invoices' })
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([], 'invoices'))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })()`)
    t.match(await page.textContent('[data-problem]'), /^invoices is a folder\. Pack it/)
    t.same(await namesIn(page), ['dropped.txt'])
  })

  // Promise (Files): With script, limits are looked at before anything is sent, and said in words
  await t.test('what is too large or too much is not taken, and the page says why', async (t) => {
    const { page, context } = await openPage(t, browser)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await begin(page, context)
    const problem = page.locator('[data-problem]')
    await choose(page, [['huge.bin', 25 * mebibyte + 1]])
    t.equal(await problem.textContent(), 'huge.bin is larger than 25 MB.')
    await choose(page, [
      ['gpj.\u202Eexe', 1],
      ['a\\b', 1],
      ['c', 1],
    ])
    const wrong = (name: string) =>
      `${name} has a character in its name that is not allowed, shown here as \uFFFD. Rename the file.`
    t.equal(await problem.textContent(), `${wrong('gpj.\uFFFDexe')} ${wrong('a\uFFFDb')}`)
    await page.getByRole('button', { name: 'Remove c' }).click()
    await choose(
      page,
      Array.from({ length: 11 }, (_, at) => [`${String(at)}.txt`, 1] as const),
    )
    t.equal(await problem.textContent(), 'Choose at most 10 files.')
    t.equal((await namesIn(page)).length, 10)
    t.equal(await page.evaluate(`document.getElementById('files').files.length`), 10, 'no others are sent')
    t.same(sent, [])
  })

  await t.test('a refused form stays as it is, with its files and its password', async (t) => {
    const { page, context } = await openPage(t, browser)
    await begin(page, context)
    await page.fill('#note', 'the note')
    await page.fill('#label', 'x'.repeat(256))
    await page.fill('#password', 'otter')
    await page.setInputFiles('#files', [notes])
    const create = page.getByRole('button', { name: 'Create link' })
    await create.click()
    const banner = page.locator('main .banner.error')
    await banner.waitFor()
    t.match(await banner.textContent(), /Nothing has been done yet.*Title.*at most 255 characters/s)
    t.notMatch(await banner.textContent(), /again/, 'nothing has to be entered again')
    t.equal(await page.evaluate('document.activeElement.className'), 'banner error')
    t.equal(await page.inputValue('#password'), 'otter')
    t.same(await namesIn(page), [notes.name])
    await page.fill('#label', 'Label')
    await create.click()
    await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
    t.same(await namesIn(page), [notes.name])
  })

  await t.test('when the session is over or the connection breaks, everything stays, too', async (t) => {
    const { page, context } = await openPage(t, browser)
    await begin(page, context)
    const cookies = await context.cookies()
    await page.fill('#note', 'the note')
    await page.setInputFiles('#files', [notes])
    const create = page.getByRole('button', { name: 'Create link' })
    await context.clearCookies()
    await create.click()
    await page.getByRole('link', { name: 'Sign in in a new tab' }).waitFor()
    await context.addCookies(cookies)
    await page.route('**/secrets/new?*', (route) => route.abort())
    await create.click()
    await page.getByText('The connection broke.').waitFor()
    await page.unroute('**/secrets/new?*')
    await create.click()
    await page.waitForURL(/\/secrets\/[\da-f-]{36}/)
    t.same(await namesIn(page), [notes.name])
  })

  await t.test('the page says how long files can be saved, and when that is over', async (t) => {
    const { page } = await openPage(t, browser)
    const { url } = await site.shareFiles()
    await stopClock(page)
    await page.goto(url)
    await submit(page)
    t.match(await page.textContent('.attached'), '(in 60 minutes)')
    await page.clock.fastForward(30 * 60_000 + 15_000)
    t.match(await page.textContent('.attached'), '(in 30 minutes)')
    await page.clock.fastForward(30 * 60_000)
    t.match(await page.textContent('.attached'), 'can no longer be saved')
    t.equal(await page.locator('.files a').count(), 0)
  })
})

/** The names in the lists of files. */
function namesIn(page: Page): Promise<string[]> {
  return page.locator('.files bdi').allTextContents()
}

/** Chooses files of these sizes, which the browser makes. */
async function choose(page: Page, files: readonly (readonly [name: string, size: number])[]): Promise<void> {
  await page.evaluate(
    `((files) => {
      const data = new DataTransfer()
      for (const [name, size] of files) data.items.add(new File([new Uint8Array(size)], name))
      const input = document.getElementById('files')
      input.files = data.files
      input.dispatchEvent(new Event('change'))
    })(${JSON.stringify(files)})`,
  )
}
