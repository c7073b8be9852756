import { openTimesMax, type NewTicket, type StorageError, type Uuid } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import { askedMillisOf } from '../connection/batches.ts'
import type { Database } from '../connection/database.ts'
import { unnest, type Sql, type Value } from '../connection/sql.ts'
import { openTimeBytes, openTimesBytes } from '../engine/codec.ts'
import { queueEvents } from './events.ts'
import type { Decided, LinkAfter } from './link-decisions.ts'

/**
 * Writes the links that still are of the version that was decided on, and whose account's erasure has not begun, with what they remember:
 * all of it or nothing. Ok with the ids of those that it wrote.
 */
export function writeLinks(
  db: Database,
  links: readonly Decided[],
): ResultAsync<ReadonlySet<Uuid>, StorageError> {
  const remembersNothing = links.every(
    ({ after: { forms, tickets, events } }) => forms.length + tickets.length + events.length === 0,
  )
  const askedMillis = askedMillisOf(links.flatMap(({ decisions }) => decisions.map(({ call }) => call)))
  if (remembersNothing) return db.statement(async (sql) => ok(await update(sql, links)), { askedMillis })
  return db.transaction(
    async (sql) => {
      const written = await update(sql, links)
      const afters = links.map(({ after }) => after).filter(({ id }) => written.has(id))
      const forms = afters.flatMap(({ id, forms }) => forms.map((form) => [id, form] as const))
      const formColumns = [forms.map(([id]) => id), forms.map(([, form]) => form)]
      if (forms.length > 0) sql.atEnd(() => sql.changes(rememberForms, formColumns))
      const tickets = afters.flatMap(({ id, tickets }) => tickets.map((ticket) => ({ id, ticket })))
      if (tickets.length > 0) {
        sql.atEnd(() => sql.changes(eraseOtherTickets, othersColumns(tickets)))
        sql.atEnd(() => sql.changes(addTickets, ticketColumns(tickets)))
      }
      const events = afters.flatMap(({ events }) => events)
      if (events.length > 0) sql.atEnd(() => queueEvents(sql, events))
      return ok(written)
    },
    { isolation: 'READ COMMITTED', askedMillis },
  )
}

const rememberForms = {
  name: 'links_remember_forms',
  text: `INSERT INTO opened_forms (secret_id, form_id) SELECT * FROM ${unnest(['uuid', 'uuid'])}
    ON CONFLICT (secret_id, form_id) DO NOTHING`,
}

interface TicketOf {
  readonly id: Uuid
  readonly ticket: NewTicket
}

/** Erases the other tickets, except those that a sweep is erasing. */
const eraseOtherTickets = {
  name: 'links_erase_other_tickets',
  text: `DELETE FROM file_tickets WHERE digest = ANY (ARRAY (SELECT o.digest
    FROM ${unnest(['uuid', 'bigint'])} AS s (id, others_max) CROSS JOIN LATERAL
      (SELECT digest FROM file_tickets WHERE secret_id = s.id
       ORDER BY expires_at DESC OFFSET s.others_max FOR UPDATE SKIP LOCKED) o))`,
}

const addTickets = {
  name: 'links_add_tickets',
  text: `INSERT INTO file_tickets (digest, secret_id, account_id, expires_at, sealed)
    SELECT t.digest, s.id, s.account_id, t.expires_at, t.sealed
    FROM ${unnest(['bytea', 'uuid', 'bigint', 'bytea'])} AS t (digest, secret_id, expires_at, sealed)
    JOIN secrets s ON s.id = t.secret_id`,
}

function othersColumns(tickets: readonly TicketOf[]): readonly Value[] {
  const others = new Map(tickets.map(({ id, ticket }) => [id, ticket.othersMax]))
  return [[...others.keys()], [...others.values()]]
}

function ticketColumns(tickets: readonly TicketOf[]): readonly Value[] {
  return [
    tickets.map(({ ticket }) => ticket.digest),
    tickets.map(({ id }) => id),
    tickets.map(({ ticket }) => ticket.expiresAtMicros),
    tickets.map(({ ticket }) => ticket.sealed),
  ]
}

const longest = openTimesMax * openTimeBytes
const times = `coalesce(s.open_times, ''::bytea) || v.open_times`
const isUnchanged = `s.version = v.version AND (SELECT name_index IS NOT NULL FROM accounts WHERE id = s.account_id)`
const updateFrom = (
  from: string,
) => `UPDATE secrets s SET version = s.version + 1, opens = v.opens, attempts = v.attempts,
    open_times = CASE WHEN v.open_times IS NULL THEN s.open_times
      ELSE substring(${times} FROM greatest(length(${times}) - ${longest} + 1, 1)) END,
    news = s.news + CASE WHEN s.notify THEN v.times ELSE 0 END,
    wrap = CASE WHEN v.has_note THEN s.wrap END, note = CASE WHEN v.has_note THEN s.note END
  FROM ${from} WHERE s.id = v.id AND ${isUnchanged} RETURNING s.id`
const values = `${unnest(['uuid', 'bigint', 'bigint', 'text', 'bytea', 'bigint', 'boolean'])}
  AS v (id, version, opens, attempts, open_times, times, has_note)`

const updateOne = { name: 'links_update_one', text: updateFrom(values) }
/** The rows are locked in the order of their ids, so that two processes that write the same links do not wait for each other forever. */
const updateMany = {
  name: 'links_update_many',
  text: updateFrom(
    `(SELECT v.* FROM ${values} JOIN secrets l ON l.id = v.id ORDER BY l.id FOR UPDATE OF l) v`,
  ),
}

async function update(sql: Sql, links: readonly Decided[]): Promise<ReadonlySet<Uuid>> {
  const column = <T>(of: (after: LinkAfter) => T): readonly T[] => links.map(({ after }) => of(after))
  const rows = await sql.rows<[Uuid]>(links.length === 1 ? updateOne : updateMany, [
    column(({ id }) => id),
    links.map(({ version }) => version),
    column(({ opens }) => opens),
    column(({ attempts }) => attempts),
    column(({ openedAtMicros }) => openTimesBytes(openedAtMicros)),
    column(({ openedAtMicros }) => openedAtMicros.length),
    column(({ hasNote }) => hasNote),
  ])
  return new Set(rows.map(([id]) => id))
}
