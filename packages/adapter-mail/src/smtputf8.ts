import { emailLocalPart } from '@sotto/core'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'

/** Whether an address can be named only to a server that offers SMTPUTF8 (RFC 6531, section 3.2): a domain has another spelling, in ASCII. */
export function needsSmtpUtf8(address: string): boolean {
  return /[^\0-\x7f]/.test(emailLocalPart(address))
}

/**
 * Asks the server, over a connection of its own: nodemailer's pool does not tell, and sends such an address to any server.
 * @throws what nodemailer throws
 */
export async function offersSmtpUtf8(options: SMTPConnectionOptions, signal: AbortSignal): Promise<boolean> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection(options)
  const greeted = new Promise<string>((resolve, reject) => {
    const abort = (): void => reject(Object.assign(new Error('aborted'), { code: 'EABORT' }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    connection.on('error', reject)
    // The last answer is the one to EHLO, or to the second EHLO after STARTTLS.
    connection.connect((error) => (error ? reject(error) : resolve(connection.lastServerResponse || '')))
  })
  try {
    return /^250[ -]SMTPUTF8\b/im.test(await greeted)
  } finally {
    connection.close()
  }
}
