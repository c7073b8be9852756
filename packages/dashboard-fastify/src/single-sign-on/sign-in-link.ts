import { markup } from '@sotto/html'
import { labelled } from '../shared/labelled.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { withParameter } from '../shared/next-path.ts'
import type { ShownWay, SignInWay } from '../shared/sign-in-way.ts'

/** The identity provider on the login page. */
export const identityWay: SignInWay = ({ localized }, next) => Promise.resolve(identityLink(localized, next))

/** The link to the identity provider. It leads to another origin, and browsers would hold a form to the page's own. */
export function identityLink(localized: LocalizedDashboard, next?: string): ShownWay | undefined {
  const { singleSignOn, texts } = localized
  if (singleSignOn === undefined) return undefined
  const path = next === undefined ? '/login/sso' : withParameter('/login/sso', 'next', next)
  return {
    place: 'above',
    html: markup`<p><a class="button${singleSignOn.hasPasswords && ' secondary'}" href="${path}">${labelled(localized, texts.singleSignOn.signInWith)}</a></p>`,
  }
}
