import type { StoredWebhook, Uuid, WebhookChange, WebhookStore } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { eraseTargets } from '../memory-leases.ts'
import {
  keyRetired,
  pageOf,
  taken,
  type MemoryConnection,
  type MemoryData,
} from '../../stores/memory-data.ts'

export function createMemoryWebhooks({ data, answer, hasAccount, mayWrite }: MemoryConnection): WebhookStore {
  const find = (accountId: Uuid, id: Uuid): StoredWebhook | undefined => {
    const webhook = data.webhooks.get(id)
    return webhook?.accountId === accountId ? webhook : undefined
  }
  return {
    insert: (webhook, max) =>
      answer(() => {
        if (!hasAccount(webhook.accountId)) return err({ code: 'account_not_found' })
        if (webhooksOf(data, webhook.accountId).length >= max) return err({ code: 'webhook_limit_reached' })
        if (!mayWrite(webhook.endpoint)) return err(keyRetired)
        if (data.webhooks.has(webhook.id)) return err(taken)
        data.webhooks.set(webhook.id, structuredClone(webhook))
        return ok()
      }),

    find: (accountId, id) => answer(() => ok(find(accountId, id))),

    list: (accountId) => answer(() => ok(webhooksOf(data, accountId))),

    update: (accountId, id, decide) =>
      answer(() => {
        const webhook = find(accountId, id)
        if (webhook === undefined) return ok(false)
        const change = decide(webhook)
        if (change !== undefined) data.webhooks.set(id, changed(webhook, change))
        return ok(true)
      }),

    erase: (accountId, id) =>
      answer(() => {
        if (find(accountId, id) === undefined) return ok(false)
        eraseWebhook(data, id)
        return ok(true)
      }),
  }
}

/** The webhooks of an account, in order. */
export function webhooksOf({ webhooks }: MemoryData, accountId: Uuid): readonly StoredWebhook[] {
  const own = [...webhooks.values()].filter((webhook) => webhook.accountId === accountId)
  return pageOf(own, undefined, own.length)
}

function changed(webhook: StoredWebhook, { failingSinceMicros, disabled }: WebhookChange): StoredWebhook {
  return {
    ...webhook,
    failingSinceMicros: afterChange(webhook.failingSinceMicros, failingSinceMicros),
    disabled: structuredClone(afterChange(webhook.disabled, disabled)),
  }
}

/** `undefined` leaves the value, `null` clears it. */
function afterChange<T>(before: T | undefined, change: T | null | undefined): T | undefined {
  return change === undefined ? before : (change ?? undefined)
}

/** Erases the webhooks of an account, with all deliveries to them, also to those that are gone. */
export function eraseWebhooksOf(data: MemoryData, accountId: Uuid): void {
  for (const { id } of webhooksOf(data, accountId)) data.webhooks.delete(id)
  eraseTargets(data, (target) => target.kind === 'webhook' && target.accountId === accountId)
}

/** Erases a webhook, with all deliveries to it. */
function eraseWebhook(data: MemoryData, id: Uuid): void {
  data.webhooks.delete(id)
  eraseTargets(data, (target) => target.kind === 'webhook' && target.webhookId === id)
}
