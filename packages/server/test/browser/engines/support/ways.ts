import type { Test } from 'tap'
import { startSite } from '../../support/site.ts'
import { askForSealed } from '../ways/ask-for-sealed.ts'
import { askForText } from '../ways/ask-for-text.ts'
import { chooseLanguages } from '../ways/choose-languages.ts'
import { openSealed } from '../ways/open-sealed.ts'
import { offerPasskeys } from '../ways/offer-passkeys.ts'
import { ownerStory } from '../ways/owner-story.ts'
import { shareFiles } from '../ways/share-files.ts'
import { shareTexts } from '../ways/share-texts.ts'
import type { Engine } from './driver.ts'
import type { Stage } from './stage.ts'
import { visitorOf } from './visitor.ts'

/** The ways of a test, by what they are. */
export type Ways = Readonly<Record<string, (t: Test, stage: Stage) => Promise<void>>>

/** The main ways of owners, recipients and strangers. */
export const mainWays: Ways = {
  'the whole story of an owner': ownerStory,
  'passkeys are offered, or it is said why not': offerPasskeys,
  'texts are shared, copied and opened': shareTexts,
  'files are sent and saved': shareFiles,
  'sealed links are opened': openSealed,
  'somebody is asked for a text': askForText,
  'somebody is asked for what only the owner reads': askForSealed,
  'languages are chosen': chooseLanguages,
}

/** The ways that need no script of a page. */
export const plainWays: Ways = { 'the whole story of an owner': ownerStory }

/** Runs ways in an engine, one after the other. */
export async function runWays(t: Test, engine: Engine, ways: Ways, scripts = true): Promise<void> {
  const browser = await engine.launch(t)
  const site = await startSite(t)
  const [first, second] = await Promise.all([browser.open(t, scripts), browser.open(t, scripts)])
  const stage = { site, owner: visitorOf(first), guest: visitorOf(second) }
  for (const [name, way] of Object.entries(ways)) {
    await t.test(name, (t) => way(t, stage))
    for (const driver of [first, second]) {
      t.same(await driver.complaints(), [], `no errors on the console while ${name}`)
      await driver.forget()
    }
  }
}

/** The options of a test in an engine: without it the test is skipped. */
export function engineOptions({ missing }: Engine): { readonly skip: string | false } {
  return { skip: missing ?? false }
}
