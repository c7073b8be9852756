import type { FastifyBaseLogger } from 'fastify'

/**
 * One line for those who watch who does what: ids only, never a label, an email or a token. It has the client's address only where the
 * application wants it.
 */
export function writeAudit(
  log: Pick<FastifyBaseLogger, 'info'>,
  event: string,
  {
    ids = {},
    address,
  }: { readonly ids?: Readonly<Record<string, string | undefined>>; readonly address: string | undefined },
): void {
  log.info({ audit: true, event, ...ids, ...(address !== undefined && { address }) }, event)
}
