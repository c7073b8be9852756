import { emailError, type Mail, type MailSender, type SendFailed } from '@sotto/core'
import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import { isIP } from 'node:net'
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool'
import { addressNotUsable, sendFailure } from './failure.ts'
import { messageOf } from './message.ts'
import { readMailFrom } from './mail-from.ts'
import { readSmtpUrl, type SmtpServer } from './smtp-url.ts'
import { needsSmtpUtf8, offersSmtpUtf8 } from './smtputf8.ts'

/** What `createMailSender` takes: the server to send through, and what the mails say. */
export interface MailSenderOptions {
  /** `smtp://` or `smtps://`, with user name and password in it: see the README. Confidential. */
  readonly smtpUrl: string
  /** `sotto@example.org`, or with a name before it: `Example Ltd <sotto@example.org>`. */
  readonly from: string
  /** Where the owner's pages are, such as `https://sotto.example.org`. */
  readonly baseUrl: string
  /** How the service calls itself in mails, and as their sender where `from` has no name; `Sotto` by default. */
  readonly name?: string | undefined
  /** How long a mail may take, whatever the server does, at most 20,000; 18,000 by default. */
  readonly timeoutMillis?: number | undefined
}

/** A {@link MailSender} with connections of its own, to be closed when the process stops. */
export interface SmtpMailSender extends MailSender {
  /** Cuts all connections. Mails underway and later ones fail with the verdict `retry`. */
  close(): void
}

/** The most connections. A small mail server would refuse more; fewer would let one slow mail delay the others. */
const maxConnections = 4

/**
 * Sends mails through one mail server, over connections that stay open between mails. Nothing is looked up, connected to or
 * loaded before the first mail.
 *
 * @throws TypeError when `smtpUrl`, `from` or `baseUrl` is not what it should be; the message does not repeat it
 */
export function createMailSender({
  smtpUrl,
  from,
  baseUrl,
  name = 'Sotto',
  timeoutMillis = 18_000,
}: MailSenderOptions): SmtpMailSender {
  const server = valid('smtpUrl', readSmtpUrl(smtpUrl))
  const sender = valid('from', readMailFrom(from))
  const base = valid('baseUrl', URL.parse(baseUrl) ?? 'must be a URL')
  const options = poolOptions(server, base, timeoutMillis)
  let opened: ReturnType<typeof openPool> | undefined
  const closing = new AbortController()

  async function deliver(mail: Mail): Promise<Result<void, SendFailed>> {
    const signal = AbortSignal.timeout(timeoutMillis)
    if (needsSmtpUtf8(mail.to)) {
      const isOffered = await offersSmtpUtf8(options, AbortSignal.any([signal, closing.signal]))
      if (!isOffered) return err(addressNotUsable)
    }
    opened ??= openPool(options)
    const transport = await opened
    if (closing.signal.aborted) transport.close({ force: true })
    await transport.sendMail({ ...messageOf({ mail, sender, name, base }), signal })
    return ok()
  }
  return {
    send(mail): ResultAsync<void, SendFailed> {
      if (emailError(mail.to) !== undefined) return errAsync(addressNotUsable)
      return new ResultAsync(deliver(mail).catch((thrown: unknown) => err(sendFailure(thrown))))
    },
    close() {
      closing.abort()
      void opened?.then(
        (transport) => transport.close({ force: true }),
        () => undefined,
      )
    },
  }
}

function valid<T extends object>(option: string, read: T | string): T {
  if (typeof read === 'string') throw new TypeError(`${option} ${read}`)
  return read
}

/** nodemailer takes 30 MB of memory, which a service that never sends a mail does not need. */
async function openPool(options: ReturnType<typeof poolOptions>) {
  const { createTransport } = await import('nodemailer')
  return createTransport(options)
}

function poolOptions(server: SmtpServer, base: URL, timeoutMillis: number): SMTPPoolOptions & { pool: true } {
  const { host, port, tls, credentials } = server
  return {
    pool: true,
    host,
    port,
    ...(credentials && { auth: credentials }),
    secure: tls === 'immediate',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'never',
    // Certificates are checked where NODE_TLS_REJECT_UNAUTHORIZED is 0, too.
    tls: { rejectUnauthorized: true },
    // Servers may refuse a client that names itself by less than a whole host name (RFC 5321, section 4.1.4).
    ...(isIP(base.hostname.replace(/[[\]]/g, '')) === 0 && { name: base.hostname }),
    maxConnections,
    // A connection that the server ended between two mails is replaced once; the rest is for the queue.
    maxRequeues: 1,
    connectionTimeout: timeoutMillis,
    greetingTimeout: timeoutMillis,
    dnsTimeout: timeoutMillis,
    socketTimeout: timeoutMillis,
    socketCloseTimeout: 1_000,
    idleTimeout: timeoutMillis / 2,
    maxResponseSize: 16 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
