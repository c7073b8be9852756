import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LinkUseCases } from '../use-cases.ts'
import type { LinkAnswer } from './link-answers.ts'
import type { Sender } from './send-answer.ts'

/** One kind of links: the routes on which they are answered, and what the gate asks about these. */
export interface LinkKind {
  /** What the URLs of the routes begin with. */
  readonly prefix: string
  readonly methods: readonly string[]
  /** The answer to a POST from another site; nothing where there is no POST. */
  readonly crossSiteAnswer?: LinkAnswer
  /** The answer to a POST whose head shows that it cannot be read. */
  readonly unreadable?: (request: FastifyRequest) => LinkAnswer | undefined
  /** Adds the routes; none where the use-cases are missing. */
  addRoutes(app: FastifyInstance, sotto: LinkUseCases, options: LinkOptions): void
}

/** What the routes of links take, beside the use-cases. */
export interface LinkOptions {
  readonly sender: Sender
  /** The origin of links. */
  readonly linkOrigin: string
  /** Whether the audit lines about refused passwords carry the client's network address. */
  readonly logAddresses: boolean | undefined
}
