import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, {
  type BrowserContext,
  type ElementHandle,
  type LaunchOptions,
  type Page,
} from 'puppeteer-core'
import { browserOptions, executablePath } from '../../support/browser.ts'
import { emptyField, type Driver, type Engine } from './driver.ts'
import { missingOf } from './programs.ts'

const firefoxPath = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr'

/** Firefox, by WebDriver BiDi. */
export const firefox = puppeteerEngine(missingOf('firefox-esr, or set FIREFOX_PATH', firefoxPath), {
  browser: 'firefox',
  executablePath: firefoxPath,
  extraPrefsFirefox: { 'intl.accept_languages': 'en-GB' },
})

/** Chromium, by the protocol of its developer tools. */
export const chromium = puppeteerEngine(browserOptions().skip || undefined, {
  browser: 'chrome',
  headless: 'shell',
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--lang=en-GB'],
})

function puppeteerEngine(missing: string | undefined, options: LaunchOptions): Engine {
  return {
    missing,
    async launch(scope) {
      const browser = await puppeteer.launch({ protocolTimeout: 120_000, timeout: 120_000, ...options })
      scope.teardown(() => browser.close())
      return {
        async open(scope, scripts = true) {
          const downloads = mkdtempSync(join(tmpdir(), 'sotto-downloads-'))
          const downloadBehavior = { policy: 'allow' as const, downloadPath: downloads }
          const context = await browser.createBrowserContext({ downloadBehavior })
          scope.teardown(() => context.close())
          const page = await context.newPage()
          page.setDefaultTimeout(120_000)
          if (!scripts) await page.setJavaScriptEnabled(false)
          return driverOf(page, context, downloads)
        },
      }
    },
  }
}

function driverOf(page: Page, context: BrowserContext, downloads: string): Driver {
  const complaints: string[] = []
  page.on('console', (message) => {
    // A status of 400 and more is reported on the console, but is not an error of the page.
    if (message.type() === 'error' && !message.text().includes('status of')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    downloads,
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    back: () => page.goBack(),
    evaluate: (expression) => page.evaluate(expression),
    click: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    async upload(field, paths) {
      const element = (await page.evaluateHandle(field)) as ElementHandle<never>
      await element.uploadFile(...paths)
    },
    async paste() {
      const other = await context.newPage()
      await other.evaluate(emptyField)
      await other.keyboard.down('Control')
      await other.keyboard.press('v')
      await other.keyboard.up('Control')
      const text = await other.evaluate(`document.querySelector('textarea').value`)
      await other.close()
      return String(text)
    },
    complaints: () => Promise.resolve(complaints),
    forget: async () => context.deleteCookie(...(await context.cookies())),
  }
}
