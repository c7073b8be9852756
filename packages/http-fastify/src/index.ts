/**
 * Sotto's HTTP API and the pages of its links as Fastify plugins, and the server options that make every answer one of the API's, those
 * of Fastify and Node included.
 */

// Plugins
export type { ApiRoutesOptions } from './api-routes.ts'
export { apiRoutes } from './api-routes.ts'
export type { Authenticate } from './api/authentication.ts'
export type { LoginPage } from './api/login-page.ts'
export type { LinkRoutesOptions } from './link-routes.ts'
export { linkRoutes } from './link-routes.ts'
export type { ServiceRoutesOptions } from './service-routes.ts'
export { serviceRoutes } from './service-routes.ts'
export type { Origins } from './http/request/target.ts'
export type {
  ApiUseCases,
  AuthenticationError,
  LinkUseCases,
  QuotaUseCases,
  TokenUseCases,
} from './use-cases.ts'

// Encrypted in the browser
export { sealedLinkPage, sealedScripts } from './sealed-scripts.ts'

// Server
export type { GivenAnswer } from './http/plugins/watch.ts'
export { watchAnswers } from './http/plugins/watch.ts'
export type { SottoServerOptions } from './http/server/server-options.ts'
export { sottoServerOptions } from './http/server/server-options.ts'
export type { ServerTimeouts } from './http/server/http-server.ts'
export { isBareOrigin, isHostName } from './http/request/bare-origin.ts'
export type { UnknownHostOptions } from './http/plugins/watch.ts'
export { logUnknownHosts } from './http/plugins/watch.ts'
export { isTrustedProxy } from './http/request/addresses.ts'

// Documentation
export type { OpenApiOptions } from './service/openapi/document.ts'
export { openApiDocument } from './service/openapi/document.ts'
export type { OpenApiDocument } from './openapi/types.ts'
