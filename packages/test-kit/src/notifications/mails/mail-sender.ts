import { type Mail, type MailContent, type MailSender, languages } from '@sotto/core'
import { caseOf, casesOf, contractOf, type ContractCase, type Harness } from '../../contract/contract.ts'
import { expectOk } from '../../contract/expect.ts'
import { createSamples, noonMicros } from '../../shared/samples.ts'
import { same } from '../../contract/compare.ts'
import { isRefused, isTaken, type Expected, type SenderUnderTest } from '../sender-harness.ts'

/**
 * What a mail server can be made to do, besides taking mails:
 * - `defers`: answers the recipient with 4xx.
 * - `rejects`: answers the recipient with 5xx.
 * - `hangs`: takes the connection, and never answers.
 * - `closes`: closes the connection in the middle of a mail.
 * - `absent`: refuses connections.
 */
export type MailServerBehaviour = 'defers' | 'rejects' | 'hangs' | 'closes' | 'absent'

/** A mail sender and a mail server that can misbehave, for its contract. */
export type MailSenderUnderTest = SenderUnderTest<MailSender, MailServerBehaviour>
/** The harness of a mail sender. It supports the behaviours that its mail server can show. */
export type MailSenderHarness = Harness<MailSenderUnderTest, MailServerBehaviour>

const portMillis = 20_000

const verdicts: Readonly<Record<MailServerBehaviour, Expected>> = {
  defers: { verdict: 'retry' },
  rejects: { verdict: 'never' },
  hangs: { verdict: 'retry' },
  closes: { verdict: 'retry' },
  absent: { verdict: 'retry' },
}

const spelled: Readonly<Record<MailServerBehaviour, string>> = {
  defers: 'answers the recipient with 4xx',
  rejects: 'answers the recipient with 5xx',
  hangs: 'never answers',
  closes: 'closes the connection',
  absent: 'refuses the connection',
}

const behaviours = Object.keys(verdicts) as readonly MailServerBehaviour[]

/** The contract of the mail sender. */
export const mailSenderContract: readonly ContractCase<MailSenderHarness>[] = contractOf([
  ...casesOf<MailSenderHarness>({
    'mail-sender/sends-every-content': caseOf({
      rule: 'A mail of every content and in every language is sent: Ok once the mail server has taken it.',
      async check(opened: MailSenderUnderTest) {
        for (const mail of [...contents().map((content) => mailOf(content)), ...inEveryLanguage()]) {
          await isTaken(opened, () => opened.sender.send(mail), portMillis)
        }
      },
    }),
    'mail-sender/sends-at-once': caseOf({
      rule: 'Mails that are sent at the same time are all taken.',
      async check(opened: MailSenderUnderTest) {
        const sent = await Promise.all(inEveryLanguage().map((mail) => opened.sender.send(mail)))
        for (const each of sent) expectOk(each)
        same(opened.taken(), languages.length)
      },
    }),
    'mail-sender/sends-to-no-address-that-may-read-as-another': caseOf({
      rule: 'A mail to an address that `emailError` refuses is sent to nobody, and is answered with the verdict never.',
      async check(opened: MailSenderUnderTest) {
        for (const to of [
          'a;b@c.example',
          '(x)a@b.example',
          'a,b@c.example',
          '"a"@b.example',
          'a<b@c.example',
        ]) {
          const mail = { ...mailOf({ kind: 'test' }), to }
          const expected = { verdict: 'never', portMillis, confidential: [to] } as const
          await isRefused(opened, () => opened.sender.send(mail), expected)
        }
      },
    }),
  }),
  ...behaviours.map((behaviour) => ({
    id: `mail-sender/server-${behaviour}`,
    ...caseOf({
      rule: `When the mail server ${spelled[behaviour]}, send answers \`${verdicts[behaviour].verdict}\` in time, with a reason that has no address in it.`,
      needs: [behaviour],
      async check(opened: MailSenderUnderTest) {
        await opened.serve(behaviour)
        for (const content of contents()) {
          const mail = mailOf(content)
          const expected = { ...verdicts[behaviour], portMillis, confidential: [mail.to, 'canary'] }
          await isRefused(opened, () => opened.sender.send(mail), expected)
        }
        await opened.serve('takes')
        await isTaken(opened, () => opened.sender.send(mailOf({ kind: 'test' })), portMillis)
      },
    }),
  })),
])

const make = createSamples(1)

const notices = ['password_changed', 'email_changed', 'mails_off', 'email_taken'] as const

/** A mail of each kind, with what is confidential spelled `canary`. */
function contents(): readonly MailContent[] {
  const event = make.event(make.uuid())
  const expiresAtMicros = noonMicros + 1
  return [
    { kind: 'test' },
    { kind: 'event', event, count: 1, label: undefined },
    { kind: 'event', event: { ...event, type: 'secret.locked', opensLeft: 0 }, count: 1, label: 'canary' },
    {
      kind: 'event',
      event: { ...event, type: 'secret.expired_unopened' },
      count: 1,
      label: 'canary\r\nTo: x@y.example',
    },
    { kind: 'event', event, count: 1_000, label: 'canary <b> 🐎' },
    { kind: 'invitation', invitation: 'invite', url: 'https://sotto.example/#canary', expiresAtMicros },
    { kind: 'invitation', invitation: 'reset', url: 'https://sotto.example/#canary', expiresAtMicros },
    { kind: 'confirm', url: 'https://sotto.example/#canary', expiresAtMicros },
    ...notices.map((notice) => ({ kind: 'notice', notice }) as const),
  ]
}

function inEveryLanguage(): readonly Mail[] {
  return languages.map((language) => ({ ...mailOf({ kind: 'test' }), language }))
}

function mailOf(content: MailContent): Mail {
  return { id: make.uuid(), to: 'ada@example.org', language: 'en', atMicros: noonMicros, content }
}
