import type { MailSender, SendFailed, WebhookSender } from '@sotto/core'
import type { MailSenderHarness, WebhookSenderHarness } from '@sotto/test-kit'
import { errAsync, ok, okAsync, ResultAsync } from 'neverthrow'
import { mailSenderHarness, webhookSenderHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

type Send<Sender extends MailSender | WebhookSender> = (sender: Sender, now: () => string) => Partial<Sender>

export const brokenMailSenders: readonly Broken<MailSenderHarness>[] = [
  mails('sends no invitations', ['mail-sender/sends-every-content'], (sender) => ({
    send: (mail) => (mail.content.kind === 'welcome' ? okAsync(undefined) : sender.send(mail)),
  })),
  mails('knows no Japanese', ['mail-sender/sends-every-content', 'mail-sender/sends-at-once'], (sender) => ({
    send(mail) {
      if (mail.language === 'ja') throw new Error('no such language')
      return sender.send(mail)
    },
  })),
  mails(
    'sends to the first of two mailboxes',
    ['mail-sender/sends-to-no-address-that-may-read-as-another'],
    (sender) => ({
      send: (mail) => sender.send({ ...mail, to: mail.to.replace(/[^a-z].*@/, '@') }),
    }),
  ),
  mails('never ends', ['mail-sender/server-hangs'], (sender, now) => ({
    send: (mail) => (now() === 'hangs' ? new ResultAsync(new Promise(() => {})) : sender.send(mail)),
  })),
  mails('rejects when the connection is closed', ['mail-sender/server-closes'], (sender, now) => ({
    send: (mail) =>
      now() === 'closes' ? new ResultAsync(Promise.reject(new Error('closed'))) : sender.send(mail),
  })),
  mails('gives up a mail that is deferred', ['mail-sender/server-defers'], (sender, now) => ({
    send: (mail) =>
      sender.send(mail).mapErr((failed) => (now() === 'defers' ? { ...failed, verdict: 'never' } : failed)),
  })),
  mails('never gives up', ['mail-sender/server-rejects'], (sender) => ({
    send: (mail) => sender.send(mail).mapErr((failed) => ({ ...failed, verdict: 'retry' })),
  })),
  mails('names the recipient', ['mail-sender/server-rejects'], (sender) => ({
    send: (mail) => sender.send(mail).mapErr((failed) => ({ ...failed, reason: `${mail.to} is unknown` })),
  })),
  mails('takes a missing server for a success', ['mail-sender/server-absent'], (sender) => ({
    send: (mail) => sender.send(mail).orElse(() => ok()),
  })),
]

export const brokenWebhookSenders: readonly Broken<WebhookSenderHarness>[] = [
  webhooks('posts no tests', ['webhook-sender/posts-every-message'], (sender) => ({
    send: (request) => (request.message.type === 'webhook.test' ? okAsync(undefined) : sender.send(request)),
  })),
  webhooks('takes any answer for a success', ['webhook-sender/receiver-fails'], (sender) => ({
    send: (request) => sender.send(request).orElse(() => ok()),
  })),
  webhooks('does not say when', ['webhook-sender/receiver-defers'], (sender) => ({
    send: (request) =>
      sender.send(request).mapErr(({ code, reason, verdict }) => ({ code, reason, verdict })),
  })),
  webhooks('never disables', ['webhook-sender/receiver-leaves'], (sender) => ({
    send: (request) => sender.send(request).mapErr((failed) => ({ ...failed, verdict: 'retry' })),
  })),
  webhooks('never ends', ['webhook-sender/receiver-hangs'], (sender, now) => ({
    send: (request) => (now() === 'hangs' ? new ResultAsync(new Promise(() => {})) : sender.send(request)),
  })),
  webhooks('rejects when the connection is closed', ['webhook-sender/receiver-closes'], (sender, now) => ({
    send: (request) =>
      now() === 'closes' ? new ResultAsync(Promise.reject(new Error('closed'))) : sender.send(request),
  })),
  webhooks('names the address', ['webhook-sender/receiver-absent'], (sender) => ({
    send: (request) =>
      sender.send(request).mapErr((failed) => ({ ...failed, reason: `no answer of ${request.url}` })),
  })),
  webhooks('stays broken', ['webhook-sender/receiver-absent'], (sender) => {
    let failed: SendFailed | undefined
    return {
      send: (request) =>
        failed ? errAsync(failed) : sender.send(request).mapErr((error) => (failed = error)),
    }
  }),
  {
    flaw: 'refuses no address',
    breaks: ['webhook-sender/checks-addresses'],
    harness: webhookSenderHarness(({ sender }) => ({
      sender: {
        ...sender,
        checkUrl: (url) =>
          sender
            .checkUrl(url)
            .orElse((error) => (error.rule === 'address_not_allowed' ? ok() : sender.checkUrl(url))),
      },
    })),
  },
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
