import type { Limits } from '@sotto/core'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ResultAsync } from 'neverthrow'
import { jsonHeaders, sendData, sendRefusal } from './answers.ts'
import { docsPage } from './docs/page.ts'
import { sendThrown } from './failures.ts'
import { createSiteOf, originalUrlOf, type Origins } from './hosts.ts'
import { openApiDocument } from './openapi/document.ts'
import { refusals, type Refusal } from './refusals.ts'
import { pathOf, urlMaxBytes } from './request-target.ts'
import { createRouteTable } from './route-table.ts'

export interface ServiceRoutesOptions extends Origins {
  /** The bounds that the documentation names. */
  readonly limits: Limits
  /** Whether the service can write now. Its error is logged, and told nobody. */
  readonly ready: () => ResultAsync<unknown, { readonly code: string }>
}

/** Those who watch a server may not know its names. */
const onEveryHost = new Set(['/healthz', '/readyz'])

/**
 * What a server of its own has beside the API: `/healthz`, `/readyz`, `/openapi.json`, `/docs`, and the plain answer to paths that
 * lead nowhere, wherever no other plugin answers. To be registered without a prefix.
 * @throws TypeError when an origin is not bare
 */
// Async, because Fastify reports what an async plugin throws; from any other it escapes.
// eslint-disable-next-line @typescript-eslint/require-await
export const serviceRoutes: FastifyPluginAsync<ServiceRoutesOptions> = async (app, options) => {
  const siteOf = createSiteOf(options)
  const table = createRouteTable()
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onRequest', async (request, reply) => {
    const refusal = refusalBefore(request) ?? table.refusalOf(request)
    return refusal && sendRefusal(reply, refusal)
  })
  app.setErrorHandler(sendThrown)
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refusals.unknownPath))

  const read = (
    url: string,
    handler: (reply: FastifyReply) => FastifyReply | Promise<FastifyReply>,
  ): void => {
    table.add({ method: ['GET', 'HEAD'], url })
    // The other methods too, or a plugin that takes whatever is left over would answer them.
    app.route({ method: app.supportedMethods, url, handler: (_request, reply) => handler(reply) })
  }
  read('/healthz', (reply) => sendData(reply, 200, { status: 'alive' }))
  read('/readyz', async (reply) => {
    if (closing) return sendRefusal(reply, refusals.shuttingDown)
    const ready = await options.ready()
    if (ready.isOk()) return sendData(reply, 200, { status: 'ready' })
    reply.log.warn({ failure: ready.error }, 'the service is not ready')
    return sendRefusal(reply, refusals.notReady)
  })

  const document = openApiDocument(options)
  // Made when it is first asked for: few servers are ever asked.
  let page: ReturnType<typeof docsPage> | undefined
  const json = JSON.stringify(document)
  read('/openapi.json', (reply) => reply.headers(jsonHeaders).send(json))
  read('/docs', (reply) => {
    page ??= docsPage(document)
    return reply.headers(jsonHeaders).headers(page.headers).send(page.html)
  })

  function refusalBefore(request: FastifyRequest): Refusal | undefined {
    if (originalUrlOf(request.raw).length > urlMaxBytes) return refusals.urlTooLong
    const site = siteOf(request.raw)
    if (site === 'malformed') return refusals.badHost
    if (onEveryHost.has(pathOf(request.url))) return undefined
    return site === 'link' || site === 'unknown' ? refusals.unknownPath : undefined
  }
}
