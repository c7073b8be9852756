import type { StorageError } from '@sotto/core'
import { type TooManyMails, hexOf, countMail, mailLimits } from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import { countAttemptNeeds } from './attempt-sign-in.ts'
import type { DepsOf } from '../use-case.ts'

// What asking for mails without proof of the address has in common.

/** What {@link countMails} needs. */
export const countMailsNeeds = countAttemptNeeds

/** A text that names what mails are counted for, and how many are allowed. */
export type MailBucket = readonly [text: string, limit: keyof typeof mailLimits]

/**
 * Counts all mails to a recipient that somebody without control of the address can ask for, together. What follows a `+` in the local part
 * names no other recipient with most providers. Stored is a keyed digest, as of every bucket.
 * @param email normalised
 */
export function toRecipient(email: string): MailBucket {
  return [`mail-to/${email.replace(/^([^+]+)\+[^]*@/, '$1@')}`, 'recipient']
}

/** Counts a mail in each bucket, durably, or in none when one of them has no quota left. */
export async function countMails(
  { signIns, digests, clock, random }: DepsOf<(typeof countMailsNeeds)[number]>,
  buckets: readonly MailBucket[],
): Promise<Result<void, TooManyMails | StorageError>> {
  const names = buckets.map(([text]) => digests.keyedDigests('sign-in-attempts', text)[0])
  const limits = buckets.map(([, limit]) => mailLimits[limit])
  const counting = { attemptId: hexOf(random.bytes(12)), nowMicros: clock.nowMicros() }
  const counted = await signIns.update(names, (attempts) => countMail(attempts, limits, counting))
  const refused = counted.isOk() ? counted.value.refused : counted.error
  if (refused === undefined) return ok()
  if (refused.code !== 'sign_in_locked') return err(refused)
  return err({ code: 'too_many_mails', retryAfterSeconds: refused.retryAfterSeconds })
}
