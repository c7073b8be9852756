/** Sotto's HTTP API and the pages of its links as Fastify plugins, and the server options without which not every answer would be its own. */

// Plugins
export type { ApiPorts, ApiRoutesOptions } from './api-routes.ts'
export { apiRoutes } from './api-routes.ts'
export type { LinkPorts, LinkRoutesOptions } from './link/link-routes.ts'
export { linkRoutes } from './link/link-routes.ts'
export type { ServiceRoutesOptions } from './service-routes.ts'
export { serviceRoutes } from './service-routes.ts'
export type { Origins } from './hosts.ts'

// Server
export type { SottoServerOptions } from './server-options.ts'
export { sottoServerOptions } from './server-options.ts'
export type { ServerTimeouts } from './http-server.ts'

// The wire, for whoever else speaks it
export { apiVersion } from './schemas/envelope.ts'
export type { WireFolder } from './schemas/folder.ts'
export type { WireNewSecret } from './schemas/new-secret.ts'
export type { WireSecret } from './schemas/secret.ts'
export { isoMicros, linkUrl, toWireFolder, toWireSecret } from './wire.ts'

// Documentation
export type { OpenApiOptions } from './openapi/document.ts'
export { openApiDocument } from './openapi/document.ts'
export type { OpenApiDocument } from './openapi/types.ts'
