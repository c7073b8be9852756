import type { FullPorts } from '@sotto/identity'
import { createWebhookSender } from '@sotto/adapter-webhook'
import type { Settings } from '../config/settings.ts'
import { readVersion } from '../version.ts'

/** The ports that send messages, and how to let go of their connections. */
export interface Senders {
  readonly ports: Pick<FullPorts, 'mailSender' | 'webhookSender'>
  /** Closes all connections. What is being sent fails. */
  close(): void
}

/**
 * The senders of an installation: mails where a mail server is set, and nothing of them is loaded otherwise; webhooks always, because owners
 * add them on their pages. Nothing is connected to before something is sent.
 */
export async function openSenders({ mail, webhookAllow, baseUrl, branding }: Settings): Promise<Senders> {
  const mailSender =
    mail && (await import('@sotto/adapter-mail')).createMailSender({ ...mail, baseUrl, name: branding.name })
  const webhookSender = createWebhookSender({ allow: webhookAllow, userAgent: `Sotto/${readVersion()}` })
  return {
    ports: { mailSender, webhookSender },
    close() {
      for (const sender of [mailSender, webhookSender]) sender?.close()
    },
  }
}
