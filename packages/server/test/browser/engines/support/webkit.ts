import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@sotto/system'
import { Builder, Capabilities, error, Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import type { Scope } from '../../support/browser.ts'
import { emptyField, type Driver, type Engine } from './driver.ts'
import { missingOf } from './programs.ts'

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

/** WebKit as Debian has it: the browser of its tests, which needs a display. Each window is a process with a driver of its own. */
export const webkit: Engine = {
  missing: missingOf('webkit2gtk-driver and xvfb', miniBrowser, '/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'),
  async launch(scope) {
    const display = await startDisplay(scope)
    return {
      async open(scope) {
        const home = mkdtempSync(join(tmpdir(), 'sotto-webkit-'))
        const downloads = join(home, 'downloads')
        mkdirSync(join(home, '.config'))
        mkdirSync(downloads)
        writeFileSync(join(home, '.config/user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)
        const port = await startDriver(scope, { HOME: home, DISPLAY: display })
        const capabilities = new Capabilities({
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
        })
        const driver = await new Builder()
          .usingServer(`http://127.0.0.1:${String(port)}`)
          .withCapabilities(capabilities)
          .build()
        scope.teardown(() => driver.quit())
        return driverOf(driver, downloads)
      },
    }
  },
}

/** Starts an X server without a screen. @returns its name */
async function startDisplay(scope: Scope): Promise<string> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  endWith(scope, server)
  const { promise, resolve } = Promise.withResolvers<string>()
  server.stdio[3]?.once('data', (number: Buffer) => {
    resolve(`:${number.toString().trim()}`)
  })
  return promise
}

async function startDriver(scope: Scope, env: NodeJS.ProcessEnv): Promise<number> {
  const port = await findFreePort()
  const driver = spawn('WebKitWebDriver', [`--port=${String(port)}`], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...env },
  })
  endWith(scope, driver)
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${String(port)}/status`)
      return port
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function endWith(scope: Scope, child: ChildProcess): void {
  scope.teardown(async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    child.once('exit', resolve)
    if (child.exitCode === null && child.kill()) await promise
  })
}

function driverOf(driver: WebDriver, downloads: string): Driver {
  const complaints: string[] = []
  /**
   * Asks the page, or the next one if this one is left meanwhile: the driver says then that its frame has gone. What the page has heard since
   * is lost.
   */
  const collect = async (): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        complaints.push(...(await driver.executeScript<string[]>(collecting)))
        return
      } catch (fault) {
        if (!(fault instanceof error.NoSuchFrameError) || tries === 10) throw fault
      }
    }
  }
  /** Does what may lead to another page. */
  const leaving = async (act: () => Promise<unknown>): Promise<void> => {
    await collect()
    await act()
    await collect()
  }
  return {
    downloads,
    goto: (url) => leaving(() => driver.get(url)),
    reload: () => leaving(() => driver.navigate().refresh()),
    back: () => leaving(() => driver.navigate().back()),
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    click: (x, y) => leaving(() => driver.actions().move({ x, y }).click().perform()),
    type: (text) => driver.actions().sendKeys(text).perform(),
    upload: async (field, paths) =>
      (await driver.executeScript<WebElement>(`return ${field}`)).sendKeys(paths.join('\n')),
    async paste() {
      const own = await driver.getWindowHandle()
      await driver.switchTo().newWindow('tab')
      await driver.executeScript(emptyField)
      await driver.actions().keyDown(Key.CONTROL).sendKeys('v').keyUp(Key.CONTROL).perform()
      const text = await driver.executeScript(`return document.querySelector('textarea').value`)
      await driver.close()
      await driver.switchTo().window(own)
      return String(text)
    },
    async complaints() {
      await collect()
      return complaints
    },
    forget: () => driver.manage().deleteAllCookies(),
  }
}

/** Listens on a page from its first call, and returns what was heard since the call before. Violations of the policy are heard from the page's beginning. */
const collecting = `
if (!window.heard) {
  const heard = window.heard = []
  addEventListener('error', (event) => heard.push(event.message))
  addEventListener('unhandledrejection', (event) => heard.push(String(event.reason)))
  const { error } = console
  console.error = (...words) => { heard.push(words.join(' ')); error(...words) }
  new ReportingObserver((reports) => {
    for (const { body } of reports) heard.push(body.effectiveDirective + ' ' + body.blockedURL)
  }, { types: ['csp-violation'], buffered: true }).observe()
}
return heard.splice(0)
`
