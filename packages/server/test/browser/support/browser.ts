import { accessSync, constants } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'

/** A name that leads here without being `localhost`: browsers trust its plain http as little as anybody's. */
export const plainHost = 'plain.test'

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
]

/**
 * What a test that wants a browser is to be told when there is none: a reason to skip it, except where the tests have to be
 * complete (`CI` is set): there it fails.
 */
export function browserOptions(): { readonly skip: string | false } {
  if (process.env['CI'] || isThere(executablePath)) return { skip: false }
  return { skip: `no browser at ${executablePath}: install Debian's chromium, or set CHROMIUM_PATH` }
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args })
}

/** What ends some time, and takes with it what was begun for it: a test, for example. */
export interface Scope {
  teardown(work: () => unknown): void
}

export interface OpenPageOptions extends Omit<BrowserContextOptions, 'javaScriptEnabled'> {
  /** Whether the page's own scripts run; they do unless told otherwise. */
  readonly scripts?: boolean
  /** Width of the window in CSS pixels; 390, a phone's, unless told otherwise. */
  readonly width?: number
  readonly height?: number
}

/** A page in a fresh profile, and everything that went wrong in it. */
export interface OpenedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors on the console, violations of the content security policy among them. */
  readonly complaints: string[]
  /** Requests to other places than the page's own. */
  readonly strangers: string[]
  /** Lets scripts run from now on, for those who examine the page. What it brought itself stays unrun. */
  allowScripts(): Promise<void>
}

export async function openPage(
  scope: Scope,
  browser: Browser,
  options: OpenPageOptions = {},
): Promise<OpenedPage> {
  const { width = 390, height = 844, scripts = true, ...rest } = options
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...rest,
  })
  scope.teardown(() => context.close())
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setScriptExecutionDisabled', { value: !scripts })
  const complaints: string[] = []
  const strangers: string[] = []
  page.on('console', (message) => {
    // A status of 400 and more is told on the console, and is no fault of the page.
    if (message.type() === 'error' && !message.text().includes('status of')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && !['localhost', plainHost].includes(url.hostname))
      strangers.push(request.url())
  })
  const allowScripts = async (): Promise<void> => {
    await session.send('Emulation.setScriptExecutionDisabled', { value: false })
  }
  return { page, context, complaints, strangers, allowScripts }
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
