import type { ResultAsync } from 'neverthrow'
import type { OwnerEvent } from './owner-event.ts'
import type { Uuid } from '../../shared/uuid.ts'
import type { StorageError } from '../../shared/errors.ts'
import type { Cursor } from '../../shared/cursor.ts'

/** Where messages of an account go: its email address, or one of its webhooks. */
export type Target =
  | { readonly kind: 'mail'; readonly accountId: Uuid }
  | { readonly kind: 'webhook'; readonly accountId: Uuid; readonly webhookId: Uuid }

/** A delivery that is to be added. */
export interface NewDelivery {
  readonly id: Uuid
  readonly target: Target
  readonly event: OwnerEvent
  /** When it is to be sent. */
  readonly dueAtMicros: number
  /** Whether later events of the same type about the same secret join it while it waits. */
  readonly joins: boolean
}

/** A message to one target, from when it is decided until it is delivered, or given up. */
export interface Delivery extends NewDelivery {
  /** How many events it reports: one, unless others joined. 0 for a pause: nothing is to be sent, and whatever joins waits for its end. */
  readonly count: number
  /** Failed attempts so far. */
  readonly attempts: number
  /** A few words about the last failure, for owner and operator; see `SendFailed.reason`. */
  readonly lastFailure: string | undefined
  /** When it was given up; `undefined` while it is tried. */
  readonly deadAtMicros: number | undefined
}

/** The deliveries to one target that one caller of {@link DeliveryStore.lease} has to itself for a while. */
export interface Lease {
  readonly id: Uuid
  readonly target: Target
  /** The leased deliveries, at least one, by event time and id ascending. */
  readonly deliveries: readonly Delivery[]
}

/** The deliveries that are leased, and until when. */
export interface LeaseOptions {
  /** The time of the lease: what is due until then is leased. */
  readonly nowMicros: number
  /** When the lease ends by itself: a process that crashed keeps nothing for longer. */
  readonly untilMicros: number
  /**
   * Nothing is due, and no lease ends, later than this, unless a clock that ran ahead said so. What is later counts as due now, and a lease
   * that ends later as ended. Otherwise it would wait for as long as the clock was wrong.
   */
  readonly latestMicros: number
  /** The ids of the leases: as many as targets are leased at most. */
  readonly ids: readonly Uuid[]
  /** How many deliveries of one target are leased at most. */
  readonly perTarget: number
  /** Only targets of this kind. */
  readonly kind: Target['kind']
}

/** What becomes of a leased delivery. */
export type Settlement =
  /** The message was delivered, or the row is not needed: it is erased. */
  | { readonly outcome: 'done' }
  /**
   * The message was delivered. The row becomes a pause that is due then, with count 0 and without attempts: what joins it is not sent
   * before.
   */
  | { readonly outcome: 'pause'; readonly untilMicros: number }
  /** The attempt failed: the row is due again at that time, with one attempt more. */
  | { readonly outcome: 'retry'; readonly dueAtMicros: number; readonly failure: string }
  /** The message is given up, and its row kept for the operator. */
  | { readonly outcome: 'dead'; readonly atMicros: number; readonly failure: string }

/** The deliveries that a list shows. */
export interface DeliveryFilter {
  readonly accountId?: Uuid | undefined
  /** Only those that were given up, or only those that were not; both without it. */
  readonly dead?: boolean | undefined
}

/** How much waits to be delivered. Pauses do not count. */
export interface QueueState {
  /** Events that no target was chosen for yet. */
  readonly events: number
  /** Deliveries that are not given up. */
  readonly waiting: number
  /** Deliveries that were given up and are still stored. */
  readonly dead: number
  /** When the event that waits longest happened, dead deliveries aside; `undefined` when none waits. */
  readonly oldestMicros: number | undefined
}

/**
 * Stores what is to be sent to whom. Every write that is answered with Ok is durable. No method throws or rejects.
 *
 * Deliveries to one target about one secret are sent in the order of their events (time, then id). While one of them is not dead, those
 * after it are not due, and {@link DeliveryStore.lease} does not return them. Different secrets do not wait for each other.
 */
export interface DeliveryStore {
  /**
   * Leases targets that have a due delivery and that nobody else has leased, or whose lease has ended: those that are due the longest
   * come first. Each lease has at most `perTarget` due deliveries, of different secrets. In one transaction: of several callers, in this
   * process or another, one gets a target.
   */
  lease(options: LeaseOptions): ResultAsync<readonly Lease[], StorageError>

  /**
   * Records what became of a leased delivery. Ok(false), and nothing is changed, when the lease has ended and another caller has leased
   * the target, or the delivery is gone.
   */
  settle(
    lease: Pick<Lease, 'id' | 'target'>,
    deliveryId: Uuid,
    settlement: Settlement,
  ): ResultAsync<boolean, StorageError>

  /** Ends a lease before its time, so that the target can be leased as soon as it is due. Ok(false) when another caller has leased it. */
  release(lease: Pick<Lease, 'id' | 'target'>): ResultAsync<boolean, StorageError>

  /**
   * When the next target can be leased: the earliest time at which a delivery is due or a lease ends; in the past when it can be leased now;
   * `undefined` when there is nothing to wait for.
   */
  nextDue(kind: Target['kind']): ResultAsync<number | undefined, StorageError>

  /** At most `limit` deliveries after the cursor that pass the filter, by event time and id of the delivery ascending. Pauses are left out. */
  page(
    filter: DeliveryFilter,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<readonly Delivery[], StorageError>

  /** Makes a dead or waiting delivery due now, without failed attempts. Ok(false) when there is none with this id. */
  retry(id: Uuid, nowMicros: number): ResultAsync<boolean, StorageError>

  /** Erases all deliveries to a target. */
  eraseTarget(target: Target): ResultAsync<void, StorageError>

  /** Erases at most `limit` deliveries that were given up at `deadByMicros` or before. Ok with how many it erased. */
  eraseDead(deadByMicros: number, limit: number): ResultAsync<number, StorageError>

  /** How much waits; see {@link QueueState}. */
  state(): ResultAsync<QueueState, StorageError>
}
