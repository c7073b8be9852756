import type { LoginPage } from '../api/login-page.ts'
import { brandOf, type Branding } from '../design/brand.ts'
import { createLocalizer } from '../design/localized.ts'
import { pageHeaders } from '../design/page-headers.ts'
import { loginPage } from './pages/login-page.ts'
import { visitOf } from './router.ts'
import { dashboardTexts } from './texts/dashboard-texts.ts'

/**
 * The login page for `apiRoutes`, which answers a browser with it. For an application that also registers `dashboardRoutes`, where its form
 * leads.
 */
export function apiLoginPage({ branding }: { readonly branding?: Branding | undefined } = {}): LoginPage {
  const localizedFor = createLocalizer(dashboardTexts, brandOf(branding))
  return (request) => {
    const { localized } = visitOf({ localizedFor }, request)
    const page = loginPage(localized, { notice: 'api' })
    return { html: page.body.toString(), headers: pageHeaders(page) }
  }
}
