import { emailError, type Mail, type MailSender } from '@sotto/core'
import { errAsync } from 'neverthrow'
import { recorder, type MemorySenderOptions } from '../memory-sender.ts'

/** A mail sender that keeps what it was given. */
export interface MemoryMailSender extends MailSender {
  /** The mails of all attempts, in their order, failed ones too. */
  readonly attempts: readonly Mail[]
}

/** Remembers mails instead of sending them. For tests only. */
export function createMemoryMailSender(options: MemorySenderOptions<Mail> = {}): MemoryMailSender {
  const recorded = recorder(options)
  const notUsable = { code: 'send_failed', reason: 'address not usable', verdict: 'never' } as const
  return {
    attempts: recorded.attempts,
    send: (mail) => (emailError(mail.to) === undefined ? recorded.send(mail) : errAsync(notUsable)),
  }
}
