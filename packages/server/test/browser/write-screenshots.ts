/**
 * Writes a screenshot of each state of a link's page into docs/screenshots, and of some states in other languages, sizes and colours:
 * `npm run docs:screenshots`. Not a test: screenshots change with every font.
 */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { launchBrowser, openPage, type OpenPageOptions } from './support/browser.ts'
import { startSite } from './support/site.ts'
import { stateNames, states, type StateName } from './support/states.ts'

const directory = resolve(import.meta.dirname, '../../../../docs/screenshots')

const variants: readonly {
  readonly state: StateName
  readonly suffix: string
  readonly look: OpenPageOptions
}[] = [
  { state: 'waiting', suffix: 'desktop', look: { width: 1024 } },
  { state: 'opened', suffix: 'desktop-dark', look: { width: 1024, colorScheme: 'dark' } },
  { state: 'password', suffix: 'dark', look: { colorScheme: 'dark' } },
  { state: 'wrong-password', suffix: 'ar', look: { locale: 'ar' } },
  { state: 'opened-last-time', suffix: 'de-narrow', look: { locale: 'de', width: 320 } },
  { state: 'asks-again', suffix: 'ja', look: { locale: 'ja' } },
]

const teardowns: (() => unknown)[] = []
const scope = { teardown: (work: () => unknown) => void teardowns.push(work) }
const browser = await launchBrowser()
const site = await startSite(scope)
mkdirSync(directory, { recursive: true })

for (const state of stateNames) await write(state, state, {})
for (const { state, suffix, look } of variants) await write(state, `${state}-${suffix}`, look)

for (const teardown of teardowns.toReversed()) await teardown()
await browser.close()

async function write(state: StateName, name: string, look: OpenPageOptions): Promise<void> {
  const { page, context } = await openPage(scope, browser, { ...look, height: 480, deviceScaleFactor: 1 })
  await states[state](page, site)
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
  await context.close()
  console.log(`${name}.png`)
}
