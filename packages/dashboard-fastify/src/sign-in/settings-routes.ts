import { show, type Answer } from '../shared/answers.ts'
import { errorAnswer } from '../shared/errors.ts'
import { doneOf } from '../shared/done.ts'
import { signInSettingsPage } from './settings-page.ts'
import { reauthenticationNeed } from '../shared/reauthentication.ts'
import type { Router } from '../shared/router.ts'
import { showSections, type Sections } from '../shared/sections.ts'
import type { SessionVisit } from '../shared/visit.ts'

export interface SignInSettingsOptions {
  /** A section for each kind of authenticator. */
  readonly sections: Sections<SessionVisit>
}

/** `/settings/sign-in`: the authenticators of an owner. */
export function addSignInSettings(router: Router, options: SignInSettingsOptions): void {
  router.session('/settings/sign-in', { get: (visit) => showSignInSettings(options, visit) })
}

/** @param again the sections that show a form again */
export async function showSignInSettings(
  { sections }: SignInSettingsOptions,
  visit: SessionVisit,
  again: Sections<SessionVisit> = {},
  status = 200,
): Promise<Answer> {
  const { localized, query } = visit
  const reauthentication = await reauthenticationNeed(visit)
  const shown = await showSections({ ...sections, ...again }, visit, reauthentication)
  if (shown.isErr()) return errorAnswer(visit, shown.error)
  const done = doneOf(localized, query['done'])
  return show(signInSettingsPage(localized, { done, sections: shown.value }), status)
}
