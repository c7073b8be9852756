import type { Page } from '../../design/document.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import type { Done } from './done.ts'
import { passkeysSection, type PasskeysInput } from './passkeys-section.ts'
import { settingsLayout } from './settings-layout.ts'

export interface SignInSettingsInput {
  readonly done: Done | undefined
  readonly passkeys: PasskeysInput
}

/** What an owner signs in with. */
export function signInSettingsPage(
  localized: LocalizedDashboard,
  { done, passkeys }: SignInSettingsInput,
): Page {
  const main = passkeysSection(localized, passkeys)
  return settingsLayout(localized, { place: 'signIn', title: localized.texts.passkeys.heading, main, done })
}
