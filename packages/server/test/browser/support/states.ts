import type { FullPorts } from '@sotto/identity'
import type { Failures } from '@sotto/test-kit'
import type { Page } from 'playwright-core'
import { arrive } from './browser.ts'
import { chosenFiles, type ChosenFile } from './files.ts'
import type { Site } from './site.ts'

/** Brings a page into one of the states that a recipient may see. */
export type ReachState = (page: Page, site: Site) => Promise<void>

const note = `Network:   Lindenhof-Guests
Password:  quiet-otter-42

The router stands behind the shelf in the hall.
Please do not write this down anywhere else.`

const message = { label: 'Wi-Fi for the guest room', note }
const password = 'right'

/** Every state by its name. Works without scripts in the page. */
export const states = {
  waiting: async (page, site) => {
    await page.goto((await site.share(message)).url)
  },
  password: async (page, site) => {
    await page.goto((await site.share({ ...message, password })).url)
  },
  'wrong-password': async (page, site) => {
    await page.goto((await site.share({ ...message, password })).url)
    await submit(page, 'wrong')
  },
  locked: async (page, site) => {
    await page.goto((await site.share({ ...message, password })).url)
    for (let time = 0; time < 6; time += 1) await submit(page, 'wrong')
  },
  crowded: (page, site) =>
    withFailures(page, site, {
      update: { code: 'link_locked', reason: 'attempts_under_way', retryAfterSeconds: 1 },
    }),
  opened: async (page, site) => {
    await page.goto((await site.share({ ...message, openLimit: 3 })).url)
    await submit(page)
  },
  'opened-without-limit': async (page, site) => {
    await page.goto((await site.share(message)).url)
    await submit(page)
  },
  'opened-last-time': async (page, site) => {
    await page.goto((await site.share({ ...message, openLimit: 1 })).url)
    await submit(page)
  },
  'waiting-files': async (page, site) => {
    await page.goto((await site.shareFiles({ ...message, openLimit: 3 })).url)
  },
  'opened-files': async (page, site) => {
    await page.goto((await site.shareFiles({ ...message, openLimit: 1 })).url)
    await submit(page)
  },
  'opened-file-alone': async (page, site) => {
    await page.goto((await site.shareFiles({ ...message, note: '', openLimit: 1 })).url)
    await submit(page)
  },
  'asks-again': async (page, site) => {
    await page.goto((await site.share({ ...message, openLimit: 3 })).url)
    await submit(page)
    await page.reload()
  },
  gone: async (page, site) => {
    await page.goto(`${site.origin}/${'A'.repeat(43)}`)
  },
  busy: (page, site) => withFailures(page, site, { find: { code: 'storage_unavailable', reason: 'busy' } }),
  failed: (page, site) =>
    withFailures(page, site, { find: { code: 'storage_failed', detail: 'for a test' } }),
  refused: async (page, site) => {
    const { url } = await site.share(message)
    // The form of a page without an origin.
    await page.goto(`data:text/html,<form method="post" action="${url}"><button>Send</button></form>`)
    await submit(page)
  },
  unreadable: async (page, site) => {
    await page.goto((await site.share({ ...message, password })).url)
    await submit(page, 'x'.repeat(2_000))
  },
  request: async (page, site) => {
    await page.goto((await site.ask()).url)
  },
  'request-refused': async (page, site) => {
    await page.goto((await site.ask()).url)
    await submit(page)
  },
  'request-received': async (page, site) => {
    await page.goto((await site.ask()).url)
    await page.fill('textarea', note)
    await submit(page)
  },
  'request-files': async (page, site) => {
    await page.goto((await site.ask({ takesFiles: true })).url)
  },
  'request-files-too-large': (page, site) =>
    sendFiles(page, site.ask({ takesFiles: true }), [
      { ...chosenFiles[1], buffer: Buffer.alloc(25 * 1_024 ** 2 + 1) },
    ]),
  'request-files-too-many': (page, site) =>
    sendFiles(
      page,
      site.ask({ takesFiles: true }),
      Array.from({ length: 11 }, (_, at) => ({ ...chosenFiles[1], name: `page ${String(at)}.txt` })),
    ),
  'request-files-received': (page, site) => sendFiles(page, site.ask({ takesFiles: true }), chosenFiles),
  'request-gone': async (page, site) => {
    await page.goto(`${site.origin}/r/${'A'.repeat(43)}`)
  },
} as const satisfies Record<string, ReachState>

export type StateName = keyof typeof states
export const stateNames = Object.keys(states) as readonly StateName[]

/** Hands in a text with files. */
async function sendFiles(
  page: Page,
  asked: ReturnType<Site['ask']>,
  files: readonly ChosenFile[],
): Promise<void> {
  await page.goto((await asked).url)
  await page.fill('textarea', note)
  await page.setInputFiles('[type=file]', [...files])
  await submit(page)
}

/** Submits the form of the page and waits for the answer. */
export async function submit(page: Page, typed?: string): Promise<void> {
  if (typed !== undefined) await page.fill('input[type=password]', typed)
  await arrive(page, () => page.click('form button:not([type=button])'))
}

async function withFailures(page: Page, site: Site, failures: Failures<FullPorts['links']>): Promise<void> {
  const { url } = await site.share({ ...message, password })
  if ('update' in failures) await page.goto(url)
  site.fail(failures)
  await ('update' in failures ? submit(page, password) : page.goto(url))
  site.fail()
}
