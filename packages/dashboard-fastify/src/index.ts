/** The pages for owners of secrets as a Fastify plugin. */

export { apiLoginPage, type ApiLoginPageOptions } from './sign-in/api-login-page.ts'
export { dashboardRoutes, type DashboardRoutesOptions } from './dashboard-routes.ts'
export { sealedScripts } from './sealed-scripts.ts'
export type { Sealing } from './sealed/sealing.ts'
export type { SingleSignOn } from './single-sign-on/sso-attempt.ts'
export type { DashboardUseCases } from './use-cases.ts'
