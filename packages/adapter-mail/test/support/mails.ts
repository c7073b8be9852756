import type { Mail, MailContent, RequestEvent, SecretEvent } from '@sotto/core'
import type { Test } from 'tap'
import { createMailSender, type MailSenderOptions, type SmtpMailSender } from '../../src/index.ts'

/** 20 December 2026, 12:57 UTC. */
export const noonMicros = Date.UTC(2026, 11, 20, 12, 57) * 1000

const day = 86_400_000_000

export const event: SecretEvent = {
  id: '019a0000-0000-7000-8000-000000000001',
  type: 'secret.opened',
  accountId: '019a0000-0000-7000-8000-000000000002',
  secretId: '019a0000-0000-7000-8000-000000000003',
  folderId: '019a0000-0000-7000-8000-000000000004',
  createdAtMicros: noonMicros,
  opens: 2,
  opensLeft: 3,
  expiresAtMicros: noonMicros + 7 * day,
}

const requestEvent: RequestEvent = {
  id: '019a0000-0000-7000-8000-000000000001',
  type: 'request.answered',
  accountId: '019a0000-0000-7000-8000-000000000002',
  requestId: '019a0000-0000-7000-8000-000000000005',
  folderId: '019a0000-0000-7000-8000-000000000004',
  createdAtMicros: noonMicros,
  answers: 2,
  answersLeft: 3,
  expiresAtMicros: noonMicros + 7 * day,
}

const url = 'https://sotto.example/welcome/canary_token'

const confirmUrl = 'https://sotto.example/confirm/canary_token'

/** One content of each kind. */
export const contents = {
  opened: opened(),
  openedOften: { ...opened({ opens: 2_345, opensLeft: undefined }), count: 12 },
  usedUp: opened({ opens: 5, opensLeft: 0 }),
  locked: opened({ type: 'secret.locked' }),
  expired: opened({ type: 'secret.expired_unopened', opens: 0 }),
  answered: answered(),
  answeredLast: answered({ answers: 5, answersLeft: 0 }),
  unanswered: answered({ type: 'request.closed_unanswered', answers: 0 }),
  invite: { kind: 'invitation', invitation: 'invite', url, expiresAtMicros: noonMicros + 3 * day },
  reset: { kind: 'invitation', invitation: 'reset', url, expiresAtMicros: noonMicros + day / 24 },
  confirm: { kind: 'confirm', url: confirmUrl, expiresAtMicros: noonMicros + day },
  passwordChanged: { kind: 'notice', notice: 'password_changed' },
  emailChanged: { kind: 'notice', notice: 'email_changed' },
  mailsOff: { kind: 'notice', notice: 'mails_off' },
  emailTaken: { kind: 'notice', notice: 'email_taken' },
  test: { kind: 'test' },
} as const satisfies Readonly<Record<string, MailContent>>

export function opened(parts: Partial<SecretEvent> = {}): MailContent & { readonly kind: 'event' } {
  return { kind: 'event', event: { ...event, ...parts }, count: 1, label: undefined }
}

function answered(parts: Partial<RequestEvent> = {}): MailContent & { readonly kind: 'event' } {
  return { kind: 'event', event: { ...requestEvent, ...parts }, count: 1, label: undefined }
}

export function makeMail(parts: Partial<Mail> = {}): Mail {
  return {
    id: '019a0000-0000-7000-8000-0000000000ff',
    to: 'ada@example.org',
    language: 'en',
    atMicros: noonMicros,
    content: contents.opened,
    ...parts,
  }
}

/** A sender that is closed with the test. */
export function makeSender(
  t: Test,
  options: Partial<MailSenderOptions> & { readonly smtpUrl: string },
): SmtpMailSender {
  const sender = createMailSender({
    from: 'sotto@sender.example',
    baseUrl: 'https://sotto.example',
    ...options,
  })
  t.teardown(() => {
    sender.close()
  })
  return sender
}
