import type { SendFailed } from '@sotto/core'

/** What nodemailer's errors have. */
interface SmtpFailure {
  /** The step that failed, as one of nodemailer's codes. */
  readonly code?: unknown
  /** The code of the system, or of TLS, that `code` replaced. */
  readonly originalCode?: unknown
  /** The status that the server answered with. */
  readonly responseCode?: unknown
  /** The command that it answered. */
  readonly command?: unknown
}

/** The recipient's address breaks the rules for one, or needs an extension that the server does not offer. */
export const addressNotUsable: SendFailed = {
  code: 'send_failed',
  reason: 'address not usable',
  verdict: 'never',
}

/**
 * The failure of a mail, in our own words: only the status of what the server has sent is repeated. A failure is final only when the server
 * says it about this mail: a status from 500 to 599 for its sender, its recipient or itself. Every other failure passes, or an operator
 * ends it: a server that is away, a wrong password, a certificate.
 */
export function sendFailure(thrown: unknown): SendFailed {
  const failure: SmtpFailure = typeof thrown === 'object' && thrown !== null ? thrown : {}
  const status = statusOf(failure)
  const words = needsLogin(status) ? 'authentication failed' : wordsFor(failure)
  const reason = status === undefined ? words : `${words} (${status})`
  return { code: 'send_failed', reason, verdict: isFinal(failure, status) ? 'never' : 'retry' }
}

function isFinal({ code }: SmtpFailure, status: number | undefined): boolean {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  // An answer without a status is no SMTP.
  if (status === undefined) return false
  // 503 is about the order of commands, not about the mail.
  return status >= 500 && status !== 503 && !needsLogin(status)
}

/** The statuses of RFC 4954, section 6. They also answer MAIL, from a server that wants a login first. */
function needsLogin(status: number | undefined): boolean {
  return status === 530 || status === 534 || status === 535 || status === 538
}

function wordsFor({ code, originalCode, command }: SmtpFailure): string {
  switch (code) {
    case 'EENVELOPE':
      return wordsForEnvelope(command)
    case 'EMESSAGE':
      return 'mail refused'
    case 'EAUTH':
      return 'authentication failed'
    case 'ETIMEDOUT':
    case 'EABORT':
      return 'timeout'
    case 'EDNS':
      return 'host not found'
    case 'ECONNECTION':
      return 'connection closed'
    case 'EPROTOCOL':
      return 'unexpected answer'
    case 'ETLS':
      return 'TLS failed'
    case 'ESOCKET':
      return wordsForSocket(String(originalCode))
    default:
      return 'not sent'
  }
}

function wordsForEnvelope(command: unknown): string {
  if (command === 'RCPT TO') return 'recipient refused'
  return command === 'MAIL FROM' ? 'sender refused' : 'mail refused'
}

/** @param code of the system, of OpenSSL, or for a certificate that was not accepted (Node.js, “X509 certificate error codes”) */
function wordsForSocket(code: string): string {
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'host not reachable'
  if (/CERT|SIGNATURE|CRL/.test(code)) return 'certificate not accepted'
  return /TLS|SSL|EPROTO/.test(code) ? 'TLS failed' : 'connection closed'
}

function statusOf({ responseCode }: SmtpFailure): number | undefined {
  const known = typeof responseCode === 'number' && responseCode >= 200 && responseCode <= 599
  return known ? responseCode : undefined
}
