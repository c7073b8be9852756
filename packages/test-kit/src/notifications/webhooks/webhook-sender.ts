import type { WebhookMessage, WebhookRequest, WebhookSender } from '@sotto/core'
import { caseOf, casesOf, contractOf, type ContractCase, type Harness } from '../../contract/contract.ts'
import { expectErr, expectOk } from '../../contract/expect.ts'
import { createSamples, noonMicros } from '../../shared/samples.ts'
import { same } from '../../contract/compare.ts'
import { isRefused, isTaken, type Expected, type SenderUnderTest } from '../sender-harness.ts'

/**
 * What a receiver can be made to do, besides answering 204:
 * - `fails`: answers 503.
 * - `defers`: answers 429 with `Retry-After: 7`.
 * - `leaves`: answers 410.
 * - `hangs`: takes the connection, and never answers.
 * - `closes`: closes the connection instead of an answer.
 * - `absent`: refuses connections.
 */
export type ReceiverBehaviour = 'fails' | 'defers' | 'leaves' | 'hangs' | 'closes' | 'absent'

/** A webhook sender and a receiver that can misbehave, for its contract. */
export interface WebhookSenderUnderTest extends SenderUnderTest<WebhookSender, ReceiverBehaviour> {
  /** The address of the receiver. */
  readonly url: string
  /** Well-formed addresses that nothing may be posted to. */
  readonly refusedUrls: readonly string[]
}

/** The harness of a webhook sender. It supports the behaviours that its receiver can show. */
export type WebhookSenderHarness = Harness<WebhookSenderUnderTest, ReceiverBehaviour>

const portMillis = 10_000

const verdicts: Readonly<Record<ReceiverBehaviour, Expected>> = {
  fails: { verdict: 'retry' },
  defers: { verdict: 'retry', retryAfterSeconds: 7 },
  leaves: { verdict: 'gone' },
  hangs: { verdict: 'retry' },
  closes: { verdict: 'retry' },
  absent: { verdict: 'retry' },
}

const spelled: Readonly<Record<ReceiverBehaviour, string>> = {
  fails: 'answers 503',
  defers: 'answers 429 with `Retry-After`',
  leaves: 'answers 410',
  hangs: 'never answers',
  closes: 'closes the connection',
  absent: 'refuses the connection',
}

const behaviours = Object.keys(verdicts) as readonly ReceiverBehaviour[]

/** The contract of the webhook sender. */
export const webhookSenderContract: readonly ContractCase<WebhookSenderHarness>[] = contractOf([
  ...casesOf<WebhookSenderHarness>({
    'webhook-sender/posts-every-message': caseOf({
      rule: 'A message of every type is posted: Ok once the receiver has answered with a status from 200 to 299.',
      async check(opened: WebhookSenderUnderTest) {
        for (const message of messages()) {
          await isTaken(opened, () => opened.sender.send(requestOf(opened, message)), portMillis)
        }
      },
    }),
    'webhook-sender/checks-addresses': caseOf({
      rule: 'checkUrl answers immediately what is wrong with an address, and Ok for one that messages can be posted to.',
      check({ sender, url, refusedUrls }: WebhookSenderUnderTest) {
        for (const fine of [url, 'https://example.org', 'https://example.org:8443/a?b=c']) {
          expectOk(sender.checkUrl(fine), fine)
        }
        for (const malformed of notUrls)
          same(expectErr(sender.checkUrl(malformed)), { rule: 'not_a_url' }, malformed)
        for (const other of ['ftp://example.org/', 'javascript:alert(1)', 'file:///etc/passwd']) {
          same(expectErr(sender.checkUrl(other)), { rule: 'not_https' }, other)
        }
        for (const refused of refusedUrls) {
          same(expectErr(sender.checkUrl(refused)), { rule: 'address_not_allowed' }, refused)
        }
      },
    }),
  }),
  ...behaviours.map((behaviour) => ({
    id: `webhook-sender/receiver-${behaviour}`,
    ...caseOf({
      rule: `When the receiver ${spelled[behaviour]}, send answers \`${verdicts[behaviour].verdict}\` in time, with a reason that has neither address nor secret in it.`,
      needs: [behaviour],
      async check(opened: WebhookSenderUnderTest) {
        await opened.serve(behaviour)
        for (const message of messages()) {
          const request = requestOf(opened, message)
          const expected = { ...verdicts[behaviour], portMillis, confidential: [request.url, request.secret] }
          await isRefused(opened, () => opened.sender.send(request), expected)
        }
        await opened.serve('takes')
        const [message] = messages()
        await isTaken(opened, () => opened.sender.send(requestOf(opened, message)), portMillis)
      },
    }),
  })),
])

const notUrls = [
  '',
  'example.org',
  'https://',
  'https://exa mple.org/',
  `https://example.org/${'a'.repeat(2_048)}`,
  'https://ada@example.org/',
  'https://ada:password@example.org/',
  'https://example.org/#fragment',
]

const make = createSamples(1)

function messages(): readonly [WebhookMessage, ...WebhookMessage[]] {
  const event = make.event(make.uuid())
  return [
    { id: make.uuid(), type: 'webhook.test', createdAtMicros: noonMicros },
    event,
    { ...event, type: 'secret.locked', opensLeft: 0 },
    { ...event, type: 'secret.expired_unopened', opens: 0 },
  ]
}

function requestOf({ url }: WebhookSenderUnderTest, message: WebhookMessage): WebhookRequest {
  const secret = `whsec_${Buffer.from(make.bytes(24)).toString('base64')}`
  return { url, secret, message, atMicros: noonMicros }
}
