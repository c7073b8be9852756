import type { ResultAsync } from 'neverthrow'
import type { LoggableError } from '../http/answers/log.ts'
import type { Visit } from './visit.ts'

/** Logs a mail that was not sent, once that is known: no answer waits for it. */
export function reportMail(
  { request }: Pick<Visit, 'request'>,
  mailed: ResultAsync<void, LoggableError>,
): void {
  const isSent = (): void => undefined
  void mailed.match(isSent, (error) => request.log.warn({ error }, 'a mail was not sent'))
}
