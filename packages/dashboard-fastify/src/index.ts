/** The pages for owners of secrets as a Fastify plugin. */

export { apiLoginPage, type ApiLoginPageOptions } from './api-login-page.ts'
export { dashboardRoutes, type DashboardRoutesOptions } from './dashboard-routes.ts'
export type { SingleSignOn } from './sso-attempt.ts'
export type { DashboardUseCases } from './use-cases.ts'
