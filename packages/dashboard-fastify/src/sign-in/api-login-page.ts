import type { FullSotto } from '@sotto/identity'
import type { LoginPage } from '@sotto/http-fastify'
import { brandOf, type Branding, createLocalizer } from '@sotto/html'
import { pageHeaders } from '@sotto/http-fastify/plugin'
import { loginPage } from './login-page.ts'
import { visitOf } from '../shared/router.ts'
import { identityLink } from '../single-sign-on/sign-in-link.ts'
import { shownSingleSignOn, type SingleSignOn } from '../single-sign-on/sso-attempt.ts'
import { dashboardTexts } from '@sotto/texts/dashboard'
import type { DashboardLocalizer } from '../shared/localized.ts'

/** What `apiLoginPage` takes. */
export interface ApiLoginPageOptions {
  /** How the service shows itself; as Sotto by default. */
  readonly branding?: Branding | undefined
  /** Single sign-on as `dashboardRoutes` takes it, with the policy of `createSotto`. */
  readonly singleSignOn?: (Pick<SingleSignOn, 'label' | 'issuer'> & Pick<FullSotto, 'policy'>) | undefined
}

/**
 * The login page for `apiRoutes`, which answers a browser with it. For an application that also registers `dashboardRoutes`, where its form
 * leads.
 */
export function apiLoginPage({ branding, singleSignOn }: ApiLoginPageOptions = {}): LoginPage {
  const plain = createLocalizer(dashboardTexts, brandOf(branding))
  const localizedFor: DashboardLocalizer = (language) => ({
    ...plain(language),
    singleSignOn: singleSignOn && shownSingleSignOn(singleSignOn, singleSignOn.policy),
  })
  return (request) => {
    const { localized } = visitOf({ localizedFor }, request)
    const ways = [identityLink(localized)].filter((way) => way !== undefined)
    const page = loginPage(localized, { notice: 'api', ways })
    return { html: page.body.toString(), headers: pageHeaders(page) }
  }
}
