import { addAccountDataRoutes } from './accounts/data-routes.ts'
import { addConfirmRoutes } from './accounts/email-routes.ts'
import { addDashboardPage } from './folders/list-routes.ts'
import { addDraftList } from './folders/draft-list-routes.ts'
import { addDraftRoutes } from './drafts/routes.ts'
import { addFolderRoutes } from './folders/routes.ts'
import { identitySection } from './single-sign-on/identity-routes.ts'
import { addInvitationRoutes } from './invitations/routes.ts'
import { addPasskeyRoutes, passkeySection } from './passkeys/routes.ts'
import { passkeyProof } from './passkeys/passkey-proof.ts'
import { passkeyScripts } from './passkeys/passkey-scripts.ts'
import { relyingPartyOf } from './passkeys/relying-party.ts'
import { addPasskeySignIn, passkeyWay } from './passkeys/sign-in-routes.ts'
import { passwordProof } from './passwords/password-proof.ts'
import { identityProof } from './single-sign-on/identity-proof.ts'
import { identityWay } from './single-sign-on/sign-in-link.ts'
import { addNotificationsRoutes } from './notifications/routes.ts'
import { addRequestRoutes } from './requests/routes.ts'
import { addPasswordRoutes, passwordSection } from './accounts/password-routes.ts'
import { addResetRoutes } from './passwords/reset-routes.ts'
import { addSearchRoutes } from './folders/search-routes.ts'
import { addSecretRoutes } from './secrets/routes.ts'
import { addSessionRoutes } from './sessions/routes.ts'
import { addSettingsRoutes } from './accounts/settings-routes.ts'
import { addSeveralRoutes } from './folders/several-routes.ts'
import { addSignInRoutes } from './sign-in/routes.ts'
import { addSignInSettings, showSignInSettings } from './sign-in/settings-routes.ts'
import { addSingleSignOn } from './single-sign-on/routes.ts'
import { addTokenRoutes } from './access-tokens/routes.ts'
import { addWebhookRoutes, webhookSection } from './notifications/webhooks/routes.ts'
import type { SessionCookie } from './sessions/cookies.ts'
import type { Sealing } from './sealed/sealing.ts'
import type { Channels } from './shared/channels.ts'
import type { Later } from './shared/later.ts'
import type { Proof } from './shared/reauthentication.ts'
import type { Router } from './shared/router.ts'
import type { ElementScript } from './shared/scripts.ts'
import type { Sections } from './shared/sections.ts'
import type { SignInWay } from './shared/sign-in-way.ts'
import type { SessionVisit } from './shared/visit.ts'
import type { Sso } from './single-sign-on/sso.ts'
import type { DashboardUseCases } from './use-cases.ts'

/** What the routes take, each of them a part. */
export interface RoutesOptions {
  readonly router: Router
  readonly sotto: DashboardUseCases
  readonly baseUrl: string
  readonly linkBaseUrl: string
  readonly channels: Channels
  readonly sealing: Sealing
  readonly cookie: SessionCookie
  readonly sso: Sso | undefined
  readonly later: Later
  /** Whether people sign in here, and not in the host application. */
  readonly signsIn: boolean
}

/** All paths of the owner's pages, by capability. */
export function addRoutes(options: RoutesOptions): void {
  const { router, sotto, baseUrl, linkBaseUrl, channels, sealing, cookie, signsIn } = options
  if (signsIn) addRoutesOfSignIn(options)
  // secrets
  addSecretRoutes({ router, sotto, linkBaseUrl, channels, sealing })
  // drafts
  addDraftRoutes({ router, sotto, channels })
  // requests
  addRequestRoutes({ router, sotto, linkBaseUrl, channels, sealing })
  // folders, and the lists of what is in them
  addFolderRoutes({ router, sotto, linkBaseUrl })
  addDashboardPage({ router, sotto, linkBaseUrl })
  addDraftList({ router, sotto })
  addSearchRoutes({ router, sotto, linkBaseUrl })
  addSeveralRoutes({ router, sotto })
  // notifications
  const sections = notificationSections(options)
  addNotificationsRoutes({ router, sotto, channels, sections })
  // webhooks
  addWebhookRoutes({ router, sotto, channels, sections })
  // accounts
  addSettingsRoutes({ router, sotto, baseUrl, channels })
  addAccountDataRoutes({ router, sotto, cookie, linkBaseUrl })
  // access tokens
  addTokenRoutes({ router, sotto, baseUrl })
  // sessions
  addSessionRoutes({ router, sotto, cookie })
}

/** The paths that are absent where the host application signs its users in. */
function addRoutesOfSignIn(options: RoutesOptions): void {
  const { router, sotto, baseUrl, channels, cookie, sso, later } = options
  // signing in, and the settings for it
  const ways = signInWays(options)
  addSignInRoutes({ router, sotto, cookie, ways })
  const settings = { sections: signInSections(options) }
  addSignInSettings(router, settings)
  const showAgain = (visit: SessionVisit, again: Sections<SessionVisit>, status?: number) =>
    showSignInSettings(settings, visit, again, status)
  // passwords
  addPasswordRoutes({ router, sotto, showAgain })
  addResetRoutes({ router, sotto, baseUrl, channels, later })
  // invitations
  addInvitationRoutes({ router, sotto, cookie })
  // accounts
  addConfirmRoutes({ router, sotto })
  // passkeys
  addPasskeySignIn({ router, sotto, cookie, baseUrl, ways })
  addPasskeyRoutes({ router, sotto, baseUrl, showAgain })
  // single sign-on
  addSingleSignOn({ router, sotto, cookie, sso, rpId: relyingPartyOf(baseUrl)?.id, showAgain })
}

type SignInOptions = Pick<RoutesOptions, 'sotto' | 'sso' | 'baseUrl'>

/** What one can sign in with besides the password, in the order of the login page. */
function signInWays({ sotto, baseUrl }: SignInOptions): readonly SignInWay[] {
  return [identityWay, passkeyWay(sotto, baseUrl)]
}

/** How owners prove who they are. The password takes what is none of the others. */
export function proofsOf({ sotto, sso, baseUrl }: SignInOptions): readonly Proof[] {
  return [passkeyProof({ sotto, baseUrl }), identityProof({ sotto, sso }), passwordProof(sotto)]
}

/** What the settings for signing in show, in this order. */
function signInSections({ sotto, baseUrl }: SignInOptions): Sections<SessionVisit> {
  return {
    password: passwordSection({ sotto }),
    identities: identitySection(sotto),
    passkeys: passkeySection({ sotto, baseUrl }),
  }
}

/** What the scripts of pages have to do for elements of single capabilities. */
export const elementScripts: readonly ElementScript[] = [...passkeyScripts]

/** What the page of notifications shows after mails, in this order. */
function notificationSections({ sotto, channels }: Pick<RoutesOptions, 'sotto' | 'channels'>): Sections {
  return {
    webhooks: webhookSection({ sotto, channels }),
  }
}
