import { type Page, type Html, markup } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { Done } from '../shared/done.ts'
import { settingsLayout } from '../shared/settings-layout.ts'

export interface SignInSettingsInput {
  readonly done: Done | undefined
  /** What is shown of each kind of authenticator. */
  readonly sections: readonly Html[]
}

/** The page of an owner's authenticators. */
export function signInSettingsPage(
  localized: LocalizedDashboard,
  { done, sections }: SignInSettingsInput,
): Page {
  const { heading: title } = localized.texts.singleSignOn
  const main = markup`${sections}`
  return settingsLayout(localized, { place: 'signIn', title, main, done })
}
