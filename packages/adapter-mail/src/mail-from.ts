import { emailError, hasUnseen } from '@sotto/core'
import addressparser from 'nodemailer/lib/addressparser'
import { domainToASCII } from 'node:url'
import { needsSmtpUtf8 } from './smtputf8.ts'

/** The sender of all mails. */
export interface Sender {
  /** The name that stands beside the address; `undefined` when only an address was given. */
  readonly name: string | undefined
  readonly address: string
  /** The host of the address, in ASCII. */
  readonly host: string
}

/** What is wrong with a sender, without a word of it; `undefined` when nothing is. */
export function mailFromError(text: string): string | undefined {
  const read = readMailFrom(text)
  return typeof read === 'string' ? read : undefined
}

/**
 * Reads `sotto@example.org` or `Example Ltd <sotto@example.org>`: one mailbox (RFC 5322, section 3.4) that fulfils {@link emailError}, with a
 * local part in ASCII.
 *
 * @returns what is wrong when it is not one
 */
export function readMailFrom(text: string): Sender | string {
  if (hasUnseen(text))
    return 'must not contain invisible characters, or ones that change the writing direction'
  const [mailbox, ...others] = addressparser(text, { flatten: true })
  if (mailbox === undefined || others.length > 0) return 'must be one email address'
  const { name, address } = mailbox
  const [local = '', domain = ''] = address.split('@')
  const host = domainToASCII(domain)
  // The parser is lenient: what it left out or moved would be sent from an address that nobody wrote.
  const whole = text.trim() === address || text.trim().endsWith(`<${address}>`)
  if (emailError(address) !== undefined || needsSmtpUtf8(address) || !whole || host === '') {
    return 'must be an email address such as sotto@example.org, with a name before it if you like: Example <sotto@example.org>'
  }
  return { name: name === '' ? undefined : name, address: `${local}@${host}`, host }
}
