import type { MailSender, WebhookSender } from '@sotto/core'
import type { MailSenderHarness, WebhookSenderHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { mailSenderHarness, webhookSenderHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

type Send<Sender extends MailSender | WebhookSender> = (sender: Sender, now: () => string) => Partial<Sender>

export const brokenMailSenders: readonly Broken<MailSenderHarness>[] = [
  mails('sends no invitations', ['mail-sender/sends-every-content'], (sender) => ({
    send: (mail) => (mail.content.kind === 'invitation' ? okAsync(undefined) : sender.send(mail)),
  })),
]

export const brokenWebhookSenders: readonly Broken<WebhookSenderHarness>[] = [
  webhooks('posts no tests', ['webhook-sender/posts-every-message'], (sender) => ({
    send: (request) => (request.message.type === 'webhook.test' ? okAsync(undefined) : sender.send(request)),
  })),
]

function mails(flaw: string, breaks: readonly string[], change: Send<MailSender>): Broken<MailSenderHarness> {
  return {
    flaw,
    breaks,
    harness: mailSenderHarness(({ sender }, now) => ({ sender: { ...sender, ...change(sender, now) } })),
  }
}

function webhooks(
  flaw: string,
  breaks: readonly string[],
  change: Send<WebhookSender>,
): Broken<WebhookSenderHarness> {
  return {
    flaw,
    breaks,
    harness: webhookSenderHarness(({ sender }, now) => ({ sender: { ...sender, ...change(sender, now) } })),
  }
}
