import type { Language } from '@sotto/core'
import type { Localized } from '@sotto/html'
import type { DashboardTexts } from '@sotto/texts/dashboard'
import type { ElementScript } from './scripts.ts'

/** Where the pages of an application that signs its users in are. */
export interface HostPages {
  readonly signInUrl?: string | undefined
  readonly signOutUrl?: string | undefined
}

/** The identity provider that people can sign in at, as the pages show it. */
export interface ShownSingleSignOn {
  /** How the pages call the provider. */
  readonly label: string
  readonly issuer: string
  /** Whether they also sign in with a password. */
  readonly hasPasswords: boolean
  /** The sources of the policy for forms that send the browser to the provider, which may redirect it to other origins. */
  readonly formTargets: string
}

export interface LocalizedDashboard extends Localized<DashboardTexts> {
  /** Set where people can sign in with an identity provider. */
  readonly singleSignOn?: ShownSingleSignOn | undefined
  /** Set where the host application signs its users in: there are no pages for passwords and sessions. */
  readonly host?: HostPages | undefined
  /** What the scripts of pages have to do for elements of single capabilities. */
  readonly elementScripts?: readonly ElementScript[]
  /** Counts the answers to the owner's requests that nobody has looked at yet; absent for somebody who is not signed in. */
  readonly countNewAnswers?: () => Promise<number>
  /** Whether `?lang=` named the language, which the forms and links of the page keep. */
  readonly isChosen?: boolean
}

export type DashboardLocalizer = (language: Language) => LocalizedDashboard
