import type { FastifyInstance } from 'fastify'

/** An answer that was given, for a log and for metrics. Of what the client sent it has the method alone. */
export interface GivenAnswer {
  /** The id that the answer carries as `x-request-id`. */
  readonly requestId: string
  /** One of the methods that Node.js knows; `undefined` when the parser has rejected the request. */
  readonly method: string | undefined
  /** The pattern of the route, such as `/:token`; `undefined` when no route was found. */
  readonly route: string | undefined
  /** `undefined` when the connection broke before the answer began. */
  readonly status: number | undefined
  /** From when the request was received until the answer was sent. */
  readonly millis: number
}

/**
 * Calls `onAnswer` for every answer of the application once it is sent. Call it before the plugins are registered: it watches the routes
 * that come after it. The answers that are given before any route is known have an option of their own: `onAnswer` of
 * {@link sottoServerOptions}.
 */
export function watchAnswers(app: FastifyInstance, onAnswer: (answer: GivenAnswer) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    onAnswer({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.raw.headersSent ? reply.raw.statusCode : undefined,
      millis: reply.elapsedTime,
    })
    done()
  })
}
