import type { ResultAsync } from 'neverthrow'
import type { Visit } from './visit.ts'

/** Why a mail was not sent, as it is logged. */
type MailError = { readonly code: string }

/** Logs a mail that was not sent, once that is known: no answer waits for it. */
export function reportMail(visit: Pick<Visit, 'request'>, mailed: ResultAsync<void, MailError>): void {
  void untilReported(visit, mailed)
}

/** Reports mail for work that no answer waits for. Never rejects. */
export function untilReported(
  { request }: Pick<Visit, 'request'>,
  mailed: ResultAsync<void, MailError>,
): Promise<void> {
  const isSent = (): void => undefined
  return mailed.match(isSent, (error) => request.log.warn({ error }, 'a mail was not sent'))
}
