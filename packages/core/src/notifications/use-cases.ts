import type { Lease } from './delivery-store.ts'
import { anObject, oneOf } from '../shared/inputs.ts'
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks/webhooks.ts'
import { deliverLease } from './deliver-lease.ts'
import { distributeEvents } from './distribute-events.ts'
import { getQueueState, listDeliveries, retryDelivery } from './deliveries.ts'
import { leaseDeliveries } from './lease-deliveries.ts'
import { mailInvitation } from '../invitations/mail-invitation.ts'
import { setMails } from './mails/set-mails.ts'
import { testMail } from './mails/test-mail.ts'
import { testWebhook } from './webhooks/test-webhook.ts'
import { bindAll, list, result, withoutInput, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { account, accountAndId, pages } from '../shared/shapes.ts'

const useCases = {
  // What an owner chooses
  setMails: result(setMails, { ...account, enabled: 'boolean', nameLabels: 'boolean' }),
  testMail: result(testMail, { ...account, byOperator: 'boolean?' }),
  createWebhook: result(createWebhook, { ...account, url: 'string' }),
  listWebhooks: result(listWebhooks, account),
  deleteWebhook: result(deleteWebhook, accountAndId),
  testWebhook: result(testWebhook, { ...accountAndId, byOperator: 'boolean?' }),
  mailInvitation: result(mailInvitation, {
    ...account,
    invitation: oneOf('invite', 'reset'),
    url: 'string',
    expiresAtMicros: 'number',
  }),

  // The queue
  distributeEvents: result(distributeEvents, { limit: 'number?' }),
  leaseDeliveries: result(leaseDeliveries, {
    kind: oneOf('mail', 'webhook'),
    targets: 'number',
    perTarget: 'number',
  }),
  deliverLease: result(deliverLease, { lease: anObject<Lease>, shouldStop: 'function?' }),
  listDeliveries: list(listDeliveries, { ...pages, accountId: 'string?', dead: 'boolean?' }),
  retryDelivery: result(retryDelivery, { id: 'string' }),
  getQueueState: withoutInput(getQueueState),
}

const methods: MethodsOf<typeof useCases> = {
  accounts: { setMails: true, find: true },
  secrets: { find: true },
  signIns: { update: true },
  requests: { find: true },
  webhooks: { insert: true, list: true, erase: true, find: true, update: true },
  outbox: { page: true, distribute: true },
  deliveries: { lease: true, settle: true, release: true, page: true, retry: true, state: true },
  quota: { take: true },
  textCipher: { encryptText: true, decryptText: true },
  secretCipher: { decryptHead: true },
  digests: { keyedDigests: true },
  keyRing: { follow: true },
  mailSender: { send: 'if present' },
  webhookSender: { send: 'if present', checkUrl: 'if present' },
  clock: { nowMicros: true },
  random: { bytes: true },
}

/** What {@link createNotify} binds its use-cases to. */
export interface NotifyOptions {
  readonly ports: PortsOf<typeof useCases>
}

/** Telling owners what happened: webhooks, mails, and the queue of both. Throws a TypeError when a method of a port is missing. */
export function createNotify({ ports }: NotifyOptions) {
  return bindAll(useCases, methods, ports)
}
