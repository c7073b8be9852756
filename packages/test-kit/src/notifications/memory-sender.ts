import type { SendFailed } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'

/** What becomes of a message: `undefined` when it is delivered. */
export type SendAnswer = SendFailed | undefined

/** What becomes of the messages of a sender in memory. */
export interface MemorySenderOptions<Message> {
  /** Decides what becomes of each message. Called once for each attempt; `nth` begins with 0. All are delivered by default. */
  readonly answer?: (message: Message, nth: number) => SendAnswer | Promise<SendAnswer>
}

/** Keeps messages instead of sending them. */
export function recorder<Message>({ answer = () => undefined }: MemorySenderOptions<Message>): {
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
