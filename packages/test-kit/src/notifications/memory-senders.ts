import {
  emailError,
  type Mail,
  type MailSender,
  type SendFailed,
  type WebhookRequest,
  type WebhookSender,
  type WebhookUrlRefused,
} from '@sotto/core'
import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'

/** What becomes of a message: `undefined` when it is delivered. */
export type SendAnswer = SendFailed | undefined

/** What becomes of the messages of a sender in memory. */
export interface MemorySenderOptions<Message> {
  /** Decides what becomes of each message. Called once for each attempt; `nth` begins with 0. All are delivered by default. */
  readonly answer?: (message: Message, nth: number) => SendAnswer | Promise<SendAnswer>
}

/** A mail sender that keeps what it was given. */
export interface MemoryMailSender extends MailSender {
  /** The mails of all attempts, in their order, failed ones too. */
  readonly attempts: readonly Mail[]
}

/** A webhook sender that keeps what it was given. */
export interface MemoryWebhookSender extends WebhookSender {
  /** The requests of all attempts, in their order, failed ones too. */
  readonly attempts: readonly WebhookRequest[]
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

/** Remembers requests instead of posting them, and refuses the addresses `localhost` and `127.0.0.1`. For tests only. */
export function createMemoryWebhookSender(
  options: MemorySenderOptions<WebhookRequest> = {},
): MemoryWebhookSender {
  return { ...recorder(options), checkUrl }
}

function recorder<Message>({ answer = () => undefined }: MemorySenderOptions<Message>): {
  readonly attempts: readonly Message[]
  send(message: Message): ResultAsync<void, SendFailed>
} {
  const attempts: Message[] = []
  return {
    attempts,
    send(message) {
      const nth = attempts.push(structuredClone(message)) - 1
      const answered = async (): Promise<Result<void, SendFailed>> => {
        const failed = await answer(message, nth)
        return failed === undefined ? ok() : err(failed)
      }
      return new ResultAsync(answered())
    },
  }
}

function checkUrl(text: string): Result<void, WebhookUrlRefused> {
  const url = URL.canParse(text) && text.length <= 2048 ? new URL(text) : undefined
  if (url === undefined || `${url.username}${url.password}` !== '' || text.includes('#'))
    return err({ rule: 'not_a_url' })
  if (url.protocol !== 'https:') return err({ rule: 'not_https' })
  const isRefused = ['localhost', '127.0.0.1'].includes(url.hostname)
  return isRefused ? err({ rule: 'address_not_allowed' }) : ok()
}
