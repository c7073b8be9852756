import { type Page, markup } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { Done } from '../shared/done.ts'
import { identitiesSection, type IdentitiesInput } from '../single-sign-on/identities-section.ts'
import { passkeysSection, type PasskeysInput } from '../passkeys/passkeys-section.ts'
import { settingsLayout, signInHeading } from '../shared/settings-layout.ts'

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
