import assert from 'node:assert/strict'
import type { SendFailed } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { Unit } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'

/** A sender, and the other side that it sends to. */
export interface SenderUnderTest<Sender, Behaviour extends string> extends Unit {
  readonly sender: Sender

  /** Decides what the other side does with all messages from now on; it takes them at first. */
  serve(behaviour: 'takes' | Behaviour): Promise<void>

  /** How many messages the other side has taken so far. */
  taken(): number

  /**
   * The milliseconds in which a send has to end, if that is less than its port allows. A sender with short timeouts makes the cases fast.
   */
  readonly withinMillis?: number
}

/** What a failed send answers. */
export interface Expected {
  readonly verdict: SendFailed['verdict']
  readonly retryAfterSeconds?: number
}

/** Holds when the send ends in time, with Ok, and the other side has taken one message more. */
export async function isTaken(
  opened: Pick<SenderUnderTest<unknown, string>, 'taken' | 'withinMillis'>,
  send: () => ResultAsync<void, SendFailed>,
  portMillis: number,
): Promise<void> {
  const before = opened.taken()
  expectOk(await inTime(send, opened.withinMillis ?? portMillis))
  same(opened.taken(), before + 1, 'how many messages were taken')
}

/** Holds when the send ends in time, with the expected verdict and a reason in a few words without anything confidential in it. */
export async function isRefused(
  opened: Pick<SenderUnderTest<unknown, string>, 'taken' | 'withinMillis'>,
  send: () => ResultAsync<void, SendFailed>,
  {
    portMillis,
    confidential,
    ...expected
  }: Expected & { readonly portMillis: number; readonly confidential: readonly string[] },
): Promise<void> {
  const before = opened.taken()
  const failed = expectErr(await inTime(send, opened.withinMillis ?? portMillis), 'send_failed')
  const { code: _, reason, ...answered } = failed
  same(answered, expected)
  assert.ok(reason.length > 0 && reason.length <= 100, `the reason has ${String(reason.length)} characters`)
  for (const text of confidential) assert.ok(!reason.includes(text), `the reason has ${text} in it`)
  same(opened.taken(), before, 'how many messages were taken')
}

/** What the call answers; fails when that takes longer. */
async function inTime<T>(call: () => PromiseLike<T>, millis: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({ message: `it took more than ${millis} ms` })),
      millis,
    )
  })
  try {
    return await Promise.race([call(), late])
  } finally {
    clearTimeout(timer)
  }
}
