import type { Lease } from './queue/delivery-store.ts'
import { anObject, oneOf } from '../shared/inputs.ts'
import { deliverLease } from './deliver-lease.ts'
import { distributeEvents } from './distribute-events.ts'
import { getQueueState, listDeliveries, retryDelivery } from './queue/deliveries.ts'
import { leaseDeliveries } from './lease-deliveries.ts'
import { setMails } from './mails/set-mails.ts'
import { testMail } from './mails/test-mail.ts'
import { webhookUseCases } from './webhooks/use-cases.ts'
import { bindAll, list, result, withoutInput, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { account, pages } from '../shared/old-shapes.ts'

const useCases = {
  // What an owner chooses
  setMails: result(setMails, { ...account, enabled: 'boolean', nameLabels: 'boolean' }),
  testMail: result(testMail, { ...account, byOperator: 'boolean?' }),
  ...webhookUseCases,

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
  quota: { take: true },
  clock: { nowMicros: true },
  textCipher: { decryptText: true, encryptText: true },
  keyRing: { follow: true },
  accounts: { find: true, setMails: true },
  random: { bytes: true },
  mailSender: { send: 'if present' },
  webhooks: { insert: true, list: true, erase: true, find: true, update: true },
  webhookSender: { checkUrl: 'if present', send: 'if present' },
  outbox: { page: true, distribute: true },
  deliveries: { lease: true, release: true, settle: true, page: true, retry: true, state: true },
  secrets: { find: true },
  requests: { find: true },
  secretCipher: { decryptHead: true },
}

/** What {@link createNotify} binds its use-cases to. */
export interface NotifyOptions {
  readonly ports: PortsOf<typeof useCases>
}

/** Telling owners what happened: webhooks, mails, and the queue of both. Throws a TypeError when a method of a port is missing. */
export function createNotify({ ports }: NotifyOptions) {
  return bindAll(useCases, methods, ports)
}
