import { writeAudit } from '@sotto/http-fastify/plugin'
import type { Visit } from './visit.ts'

/** Writes an audit line about a visit. */
export function audit(
  { request, loggedAddress: address }: Pick<Visit, 'request' | 'loggedAddress'>,
  event: string,
  ids: Readonly<Record<string, string | undefined>>,
): void {
  writeAudit(request.log, event, { ids, address })
}
