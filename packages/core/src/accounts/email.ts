import { type RuleBroken, bounds } from '../shared/fields.ts'
import { hasUnseen } from '../shared/shown-text.ts'
import { codePointCount } from '../shared/text.ts'

/** The form in which an email is stored and compared: trimmed, composed (NFC), lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** What precedes the last `@` of an email. */
export function emailLocalPart(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}

/** What a part of a local part consists of: `atext` of RFC 5322, and what RFC 6531, section 3.3, adds to it; nothing invisible. */
const atom = String.raw`(?:[\w!#$%&'*+/=?^\x60{|}~-]|[^\x00-\x7f\p{C}\p{Z}])+`

/** A label of a host name. Underscores are no RFC's, but private networks have them. */
const hostLabel = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*`
const emailShape = new RegExp(`^${atom}(?:\\.${atom})*@${hostLabel}(?:\\.${hostLabel})*$`, 'u')

/**
 * The rule that an email breaks, wherever one is given. Only its shape is checked: only sending mail shows whether it arrives. What RFC 5321
 * would need quotes for (section 4.1.2) is refused, and so are comments, groups and address literals: programs disagree about which mailboxes
 * those name. An account of an earlier version may have such a name: it is found by it, but gets no mails.
 */
export function emailError(email: string): RuleBroken | undefined {
  const limit = bounds.emailMaxCodePoints
  if (codePointCount(email) > limit) return { rule: 'too_long', limit }
  return emailShape.test(email) && !hasUnseen(email) ? undefined : { rule: 'not_an_email' }
}
