import { accessSync, constants } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Frame,
  type Page,
} from 'playwright-core'

/** A host name that resolves to this machine. Unlike `localhost`, browsers do not trust its plain http. */
export const plainHost = 'plain.test'

/** Where Debian installs Chromium without a window, which takes half the time, and with one. */
const debianPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

/** Where Chromium is. */
export const executablePath = process.env['CHROMIUM_PATH'] ?? debianPaths.find(isThere) ?? debianPaths[0]

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
 * The options of a test that needs a browser: without one it is skipped, except where `CI` is set, where it fails.
 */
export function browserOptions(): { readonly skip: string | false } {
  if (process.env['CI'] || isThere(executablePath)) return { skip: false }
  return {
    skip: `no browser at ${executablePath}: install Debian's chromium-headless-shell, or set CHROMIUM_PATH`,
  }
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args })
}

/** The `t` of a test, or anything else that runs functions when it ends. */
export interface Scope {
  teardown(work: () => unknown): void
}

export interface OpenPageOptions extends Omit<BrowserContextOptions, 'javaScriptEnabled'> {
  /** Whether the page's own scripts run; true by default. */
  readonly scripts?: boolean
  /** The width of the window in CSS pixels; 390, as of a phone, by default. */
  readonly width?: number
  readonly height?: number
}

/** A page in a fresh profile, with what went wrong in it. */
export interface OpenedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors on the console, including violations of the content security policy. */
  readonly complaints: string[]
  /** The URLs of requests to other hosts. */
  readonly foreignRequests: string[]
  /** Lets scripts run from now on, so that the test can examine the page. The page's own scripts do not run. */
  allowScripts(): Promise<void>
  /** Makes the page fresh for another test: empty, without cookies and complaints, and with scripts only if they ran at first. */
  reset(): Promise<void>
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
  // On a busy machine much takes longer than the 30 seconds of the default.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const setScripts = async (value: boolean): Promise<void> => {
    await session.send('Emulation.setScriptExecutionDisabled', { value: !value })
  }
  await setScripts(scripts)
  const complaints: string[] = []
  const foreignRequests: string[] = []
  page.on('console', (message) => {
    // A status of 400 and more is reported on the console, but is not an error of the page.
    if (message.type() === 'error' && !message.text().includes('status of')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && !['localhost', plainHost].includes(url.hostname))
      foreignRequests.push(request.url())
  })
  const reset = async (): Promise<void> => {
    await page.goto('about:blank')
    await context.clearCookies()
    await setScripts(scripts)
    complaints.length = 0
    foreignRequests.length = 0
  }
  return { page, context, complaints, foreignRequests, allowScripts: () => setScripts(true), reset }
}

/** Does what leads to another page, and waits until that page has loaded: when its answer has arrived, the page before may still be shown. */
export async function arrive(page: Page, act: () => Promise<unknown>): Promise<void> {
  const isOfPage = (frame: Frame): boolean => frame === page.mainFrame()
  await Promise.all([page.waitForEvent('framenavigated', isOfPage), act()])
  await page.waitForLoadState()
  await awaitFocus(page)
}

/** Waits until the page has given a field the focus, if it does: browsers do that when they draw it, which may be after it has loaded. */
export async function awaitFocus(page: Page): Promise<void> {
  if ((await page.locator('[autofocus]').count()) > 0) await page.locator(':focus').waitFor()
}

/** From now on time passes on the page only when the test says so: its scripts take marks back after a while. */
export async function stopClock({ clock }: Page): Promise<void> {
  await clock.install({ time: '2026-11-20T12:57:00Z' })
  await clock.pauseAt('2026-11-20T12:58:00Z')
}

/** Whether there is a program. */
export function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
