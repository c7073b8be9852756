import { flag, id, integer, optional, text, time, type Table } from '../engine/table.ts'

/**
 * What an event says, of a request too; see `eventColumns`. Its ids refer to nothing: a message must never be the reason why an open or an
 * erasure fails.
 */
const event = {
  event_id: id,
  event_type: text,
  account_id: id,
  secret_id: id,
  folder_id: id,
  event_at: time,
  opens: integer,
  opens_left: optional(integer),
  expires_at: time,
} as const

export const notificationTables = {
  /** Events that no target was chosen for yet. */
  outbox: {
    name: 'outbox',
    key: ['event_id'],
    columns: event,
    indexes: { outbox_by_time: { on: 'event_at, event_id' } },
    isSmall: true,
  },

  /**
   * Where deliveries go: `id` is that of the webhook, or of the account for its email address. There is a row while there are deliveries to it,
   * or a lease of it that was not released. `due_at`: when it can be leased, which is when the first of its deliveries is due, but not before a
   * lease of it ends; NULL when nothing is to be sent. `lease_id`: the latest lease. `leased_until`: NULL once released.
   */
  targets: {
    name: 'targets',
    key: ['kind', 'id'],
    columns: {
      kind: { ...text, oneOf: ['mail', 'webhook'] },
      id,
      account_id: id,
      due_at: optional(time),
      lease_id: optional(id),
      leased_until: optional(time),
    },
    indexes: {
      targets_by_due: { on: 'kind, due_at', where: 'due_at IS NOT NULL' },
      targets_of_account: { on: 'account_id' },
    },
    ofAccount: 'few',
    stays: true,
  },

  /**
   * Messages to one target, which is of the event's account. `joins`, `count`, `attempts`, `last_failure`, `due_at`: see `Delivery`.
   * `dead_at`: NULL while it is tried. `is_head`: whether it is the first of those to its target about its secret that are not dead; only a
   * head can be due. `was_leased`: whether it may have been sent since it was added or became a pause; nothing joins it then.
   */
  deliveries: {
    name: 'deliveries',
    key: ['id'],
    columns: {
      id,
      target_kind: text,
      target_id: id,
      ...event,
      joins: flag,
      count: { ...integer, default: 1, check: 'count >= 0' },
      attempts: { ...integer, default: 0, check: 'attempts >= 0' },
      last_failure: optional(text),
      due_at: time,
      dead_at: optional(time),
      is_head: { ...flag, default: false },
      was_leased: { ...flag, default: false },
    },
    partOf: { columns: ['target_kind', 'target_id'], table: 'targets', key: ['kind', 'id'] },
    indexes: {
      deliveries_in_order: { on: 'target_kind, target_id, secret_id, event_at, event_id' },
      deliveries_by_due: { on: 'target_kind, target_id, due_at, event_at, event_id', where: 'is_head' },
      waiting_by_time: {
        on: 'event_at, id',
        covers: 'dead_at, count',
        where: 'dead_at IS NULL AND count > 0',
      },
      waiting_of_account: { on: 'account_id, event_at, id', where: 'dead_at IS NULL AND count > 0' },
      dead_by_time: { on: 'event_at, id', where: 'dead_at IS NOT NULL' },
      dead_of_account: { on: 'account_id, event_at, id', where: 'dead_at IS NOT NULL' },
      dead_by_death: { on: 'dead_at', where: 'dead_at IS NOT NULL' },
    },
  },
} as const satisfies Readonly<Record<string, Table>>
