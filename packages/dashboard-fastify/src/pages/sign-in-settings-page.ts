import { type Page, markup } from '@sotto/html'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import type { Done } from './done.ts'
import { identitiesSection, type IdentitiesInput } from './identities-section.ts'
import { passkeysSection, type PasskeysInput } from './passkeys-section.ts'
import { settingsLayout, signInHeading } from './settings-layout.ts'

export interface SignInSettingsInput {
  readonly done: Done | undefined
  /** Where people sign in with an identity provider. */
  readonly identities?: IdentitiesInput
  /** Where browsers make passkeys. */
  readonly passkeys?: PasskeysInput
}

/** The page of an owner's authenticators. */
export function signInSettingsPage(
  localized: LocalizedDashboard,
  { done, identities, passkeys }: SignInSettingsInput,
): Page {
  const main = markup`${identities && identitiesSection(localized, identities)}
    ${passkeys && passkeysSection(localized, passkeys)}`
  return settingsLayout(localized, { place: 'signIn', title: signInHeading(localized), main, done })
}
