import { nilUuid, type SecretEvent, type Target, type Uuid, type WebhookDisabledReason } from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import { ok } from 'neverthrow'

/** What a process that delivers messages wants to know about the writes of its own. Each is called after the commit. */
export interface StorageWatcher {
  /** Events were put into the outbox, or a delivery is due now. */
  queued(): void
  /** Files may have nobody any more who reads them: those of this secret or draft, which was erased; with `nilUuid` some that were removed. */
  erased(secretId: Uuid): void
  /** A message is not sent any more. `failure` says why, without any address. */
  gaveUp(details: { readonly deliveryId: Uuid; readonly target: Target; readonly failure: string }): void
  /** Nothing is sent to a webhook any more. */
  disabledWebhook(details: {
    readonly accountId: Uuid
    readonly webhookId: Uuid
    readonly reason: WebhookDisabledReason
  }): void
}

/** Watchers that come and go, and one that passes everything on to them. */
export function createWatchers(): {
  readonly all: StorageWatcher
  watch(watcher: StorageWatcher): () => void
} {
  const watchers = new Set<StorageWatcher>()
  return {
    all: {
      queued: () => watchers.forEach((watcher) => watcher.queued()),
      erased: (secretId) => watchers.forEach((watcher) => watcher.erased(secretId)),
      gaveUp: (details) => watchers.forEach((watcher) => watcher.gaveUp(details)),
      disabledWebhook: (details) => watchers.forEach((watcher) => watcher.disabledWebhook(details)),
    },
    watch(watcher) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}

type Watched = Pick<FullStorage, 'links' | 'secrets' | 'drafts' | 'deliveries' | 'webhooks'>

/** Stores that call the watcher after what they have committed. */
export function watchStorage<Stores extends Watched>(stores: Stores, watcher: StorageWatcher): Stores {
  return {
    ...stores,
    links: watchLinks(stores.links, watcher),
    secrets: watchSecrets(stores.secrets, watcher),
    drafts: watchDrafts(stores.drafts, watcher),
    deliveries: watchDeliveries(stores.deliveries, watcher),
    webhooks: watchWebhooks(stores.webhooks, watcher),
  }
}

function watchLinks(links: FullStorage['links'], watcher: StorageWatcher): FullStorage['links'] {
  return {
    ...links,
    update: (lookup, formId, decide) =>
      // Not `map`, which takes six times as long: neverthrow compiles it to a generator. Every open comes this way.
      links.update(lookup, formId, decide).andThen((change) => {
        if (change.events !== undefined && change.events.length > 0) watcher.queued()
        return ok(change)
      }),
  }
}

function watchSecrets(secrets: FullStorage['secrets'], watcher: StorageWatcher): FullStorage['secrets'] {
  return {
    ...secrets,
    erase: (accountId, id) => secrets.erase(accountId, id).map(tellErased(watcher, id)),
    eraseExpired(expiredByMicros, limit, report) {
      let hasReported = false
      const reportAndTell = (unopened: Parameters<typeof report>[0]): SecretEvent => {
        hasReported = true
        return report(unopened)
      }
      return secrets.eraseExpired(expiredByMicros, limit, reportAndTell).map((erased) => {
        if (hasReported) watcher.queued()
        return erased
      })
    },
  }
}

function watchDrafts(drafts: FullStorage['drafts'], watcher: StorageWatcher): FullStorage['drafts'] {
  return {
    ...drafts,
    erase: (accountId, id) => drafts.erase(accountId, id).map(tellErased(watcher, id)),
    replace: (expectedHeadCiphertext, draft, note, options) => {
      const replaced = drafts.replace(expectedHeadCiphertext, draft, note, options)
      return options?.files === undefined ? replaced : replaced.map(tellErased(watcher, nilUuid))
    },
  }
}

function tellErased(watcher: StorageWatcher, secretId: Uuid): (isErased: boolean) => boolean {
  return (isErased) => {
    if (isErased) watcher.erased(secretId)
    return isErased
  }
}

function watchDeliveries(
  deliveries: FullStorage['deliveries'],
  watcher: StorageWatcher,
): FullStorage['deliveries'] {
  return {
    ...deliveries,
    settle: (lease, deliveryId, settlement) =>
      deliveries.settle(lease, deliveryId, settlement).map((isSettled) => {
        if (isSettled && settlement.outcome === 'dead')
          watcher.gaveUp({ deliveryId, target: lease.target, failure: settlement.failure })
        return isSettled
      }),
    retry: (id, nowMicros) =>
      deliveries.retry(id, nowMicros).map((isDue) => {
        if (isDue) watcher.queued()
        return isDue
      }),
  }
}

function watchWebhooks(webhooks: FullStorage['webhooks'], watcher: StorageWatcher): FullStorage['webhooks'] {
  return {
    ...webhooks,
    update(accountId, id, decide) {
      let reason: WebhookDisabledReason | undefined
      const decideAndTell: typeof decide = (webhook) => {
        const change = decide(webhook)
        reason = change?.disabled?.reason
        return change
      }
      return webhooks.update(accountId, id, decideAndTell).map((isFound) => {
        if (isFound && reason !== undefined) watcher.disabledWebhook({ accountId, webhookId: id, reason })
        return isFound
      })
    },
  }
}
