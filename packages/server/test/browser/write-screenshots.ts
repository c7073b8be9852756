/**
 * Writes a screenshot of each state of a link's page into docs/screenshots, of some states in other languages, sizes and colours, and of
 * the owner's pages: `npm run write screenshots`; with names of files, those only. Not a test: screenshots change with every font.
 */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, openPage, type OpenPageOptions } from './support/browser.ts'
import { ownerStates, type OwnerStateName } from './support/owner-states.ts'
import { startSite, type Site } from './support/site.ts'
import { stateNames, states, type StateName } from './support/states.ts'

const directory = resolve(import.meta.dirname, '../../../../docs/screenshots')

const variants: readonly {
  readonly state: StateName
  readonly suffix: string
  readonly look: OpenPageOptions
}[] = [
  { state: 'waiting', suffix: 'desktop', look: { width: 1024 } },
  { state: 'opened', suffix: 'desktop-dark', look: { width: 1024, colorScheme: 'dark' } },
  { state: 'opened', suffix: 'dark', look: { colorScheme: 'dark' } },
  { state: 'waiting', suffix: 'dark', look: { colorScheme: 'dark' } },
  { state: 'password', suffix: 'dark', look: { colorScheme: 'dark' } },
  { state: 'wrong-password', suffix: 'ar', look: { locale: 'ar' } },
  { state: 'opened-last-time', suffix: 'de-narrow', look: { locale: 'de', width: 320 } },
  { state: 'asks-again', suffix: 'ja', look: { locale: 'ja' } },
]

const desktop = { width: 960 } as const
/** So high that nothing sticks to its edge over something else. */
const whole = { height: 1_200 } as const
const dark = { ...desktop, colorScheme: 'dark' } as const

/** The owner's pages, by the names of their files. */
const ownerPages: Readonly<
  Record<string, { readonly state: OwnerStateName; readonly look: OpenPageOptions }>
> = {
  'sign-in': { state: 'sign-in', look: {} },
  'dashboard-first': { state: 'dashboard-first', look: {} },
  dashboard: { state: 'dashboard', look: {} },
  'dashboard-desktop': { state: 'dashboard', look: desktop },
  'dashboard-desktop-dark': { state: 'dashboard', look: dark },
  'dashboard-desktop-ar': { state: 'dashboard', look: { ...desktop, locale: 'ar' } },
  'new-secret-desktop': { state: 'new-secret', look: { ...desktop, ...whole } },
  'new-secret-desktop-dark': { state: 'new-secret', look: { ...dark, ...whole } },
  secret: { state: 'secret-opened', look: {} },
  'secret-desktop': { state: 'secret-opened', look: desktop },
  'tokens-desktop': { state: 'tokens', look: desktop },
  invitation: { state: 'invitation', look: {} },
  'invitation-dark': { state: 'invitation', look: { colorScheme: 'dark' } },
  'draft-desktop': { state: 'draft', look: { ...desktop, ...whole } },
  'drafts-desktop': { state: 'drafts', look: desktop },
  destroy: { state: 'destroy', look: {} },
  'settings-desktop': { state: 'settings', look: desktop },
  'settings-dark': { state: 'settings', look: { colorScheme: 'dark' } },
  sessions: { state: 'sessions', look: {} },
  'notifications-desktop': { state: 'notifications', look: desktop },
  notifications: { state: 'notifications', look: {} },
  'new-webhook': { state: 'new-webhook', look: {} },
}

const teardowns: (() => unknown)[] = []
const scope = { teardown: (work: () => unknown) => void teardowns.push(work) }
const browser = await launchBrowser()
mkdirSync(directory, { recursive: true })

for (const state of stateNames) await write(state, states[state], {})
for (const { state, suffix, look } of variants) await write(`${state}-${suffix}`, states[state], look)
for (const [name, { state, look }] of Object.entries(ownerPages)) await write(name, ownerStates[state], look)

for (const teardown of teardowns.toReversed()) await teardown()
await browser.close()

async function write(
  name: string,
  reach: (page: Page, site: Site) => Promise<void>,
  look: OpenPageOptions,
): Promise<void> {
  const only = process.argv.slice(2)
  if (only.length > 0 && !only.includes(name)) return
  const { page, context } = await openPage(scope, browser, {
    height: 480,
    ...look,
    deviceScaleFactor: 1,
    // No picture of a transition between two pages.
    reducedMotion: 'reduce',
  })
  // A site of its own: states change what others show, such as the owner's name.
  await reach(page, await startSite(scope))
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true })
  await context.close()
  console.log(`${name}.png`)
}
