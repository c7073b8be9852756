import type { Visit } from './visit.ts'

/**
 * One line for those who watch who does what: ids only, never a label, an email or a token. It has the client's address only where the
 * application wants it.
 */
export function audit(
  { request, loggedAddress: address }: Pick<Visit, 'request' | 'loggedAddress'>,
  event: string,
  ids: Readonly<Record<string, string | undefined>>,
): void {
  request.log.info({ audit: true, event, ...ids, ...(address !== undefined && { address }) }, event)
}
