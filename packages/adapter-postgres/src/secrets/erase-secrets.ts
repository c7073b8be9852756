import type { SecretEvent, SecretStore, StoredShareableSecret, Uuid } from '@sotto/core'
import { changes, eraseUpTo, rows, type Erased, type EraseSecrets, type Work } from '@sotto/storage-sql'
import { ok } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { run } from '../engine/engine.ts'
import { queueEvents } from './events.ts'
import { secretColumns, shareableOf, type SecretRow } from './secret-rows.ts'

/** The secrets, the ids of forms and the tickets that one transaction erases at most, so that it is short. */
const [secretsAtOnce, formsAtOnce, ticketsAtOnce] = [100, 10_000, 10_000]

const eraseForms = `DELETE FROM opened_forms WHERE secret_id = ANY ($1::uuid[]) AND (secret_id, form_id) IN
  (SELECT secret_id, form_id FROM opened_forms WHERE secret_id = ANY ($1::uuid[]) LIMIT $2)`
const eraseTickets = `DELETE FROM file_tickets WHERE digest IN
  (SELECT digest FROM file_tickets WHERE secret_id = ANY ($1::uuid[]) LIMIT $2)`
const destroyNotes = `UPDATE secrets SET wrap = NULL, note = NULL, version = version + 1
  WHERE id = ANY ($1::uuid[]) AND note IS NOT NULL`

/**
 * Erases secrets, inside a transaction that has locked their rows. When they have been opened so often that a short transaction cannot
 * erase all of it, it erases a part and destroys the notes; then the answer is false: commit, and erase again.
 */
export function* eraseSecrets(ids: readonly Uuid[]): Work<boolean> {
  const isMuch =
    (yield* changes(eraseForms, ids, formsAtOnce)) === formsAtOnce ||
    (yield* changes(eraseTickets, ids, ticketsAtOnce)) === ticketsAtOnce
  if (isMuch) {
    yield* changes(destroyNotes, ids)
    return false
  }
  yield* changes('DELETE FROM secrets WHERE id = ANY ($1::uuid[])', ids)
  return true
}

/** The work with which the shared stores erase the secrets and drafts of an account or a folder. */
export const eraseSecretsOf: EraseSecrets = function* (owner, id, most) {
  const found = yield* rows<[Uuid]>(
    `SELECT id FROM secrets WHERE ${owner} = $1 LIMIT $2`,
    ...[id, Math.min(most, secretsAtOnce)],
  )
  if (found.length === 0) return { found: 0, erased: 0 }
  const areErased = yield* eraseSecrets(found.map(([secretId]) => secretId))
  return { found: found.length, erased: areErased ? found.length : 0 }
}

const lockOne = {
  name: 'secrets_lock_one',
  text: 'SELECT id FROM secrets WHERE id = $1 AND (account_id = $2 AND expires_at IS NOT NULL) IS TRUE FOR UPDATE',
}

/** Makes `SecretStore.erase`. */
export function createEraseSecret(db: Database): SecretStore['erase'] {
  return (accountId, id) => {
    let isFound = false
    const eraseSome = () =>
      db.transaction<Erased>(
        async (sql) => {
          if ((await sql.row(lockOne, [id, accountId])) === undefined) return ok({ rows: 0, more: false })
          isFound = true
          return ok({ rows: 0, more: !(await run(sql, eraseSecrets([id]))) })
        },
        { isolation: 'READ COMMITTED' },
      )
    return eraseUpTo(1, eraseSome).map(() => isFound)
  }
}

/** The rows stay locked until the transaction ends, so that no secret is opened after it was reported as unopened. NOT EXISTS would
 * become a join, for which all tickets are read. */
const lockFor = (name: string, which: string) => ({
  name,
  text: `SELECT s.account_id, s.notify AND s.opens = 0, ${secretColumns} FROM secrets s
    WHERE s.expires_at <= $1 AND (SELECT 1 FROM file_tickets WHERE secret_id = s.id LIMIT 1) IS NULL
    ORDER BY s.expires_at LIMIT $2 FOR UPDATE OF s ${which}`,
})
const lockFree = lockFor('secrets_lock_free', 'SKIP LOCKED')
const lockNext = lockFor('secrets_lock_next', '')

type ExpiredRow = readonly [accountId: Uuid, isUnopened: boolean, ...SecretRow]

/**
 * Makes `SecretStore.eraseExpired`. It takes the rows that no other transaction holds, so that it never waits while it holds some: a deadlock
 * would make opens wait. When it finds fewer than it may take, it waits for a single one; only when there is none, none remains.
 */
export function createEraseExpired(db: Database): SecretStore['eraseExpired'] {
  return (expiredByMicros, limit, report) => {
    let isWaiting = false
    return eraseUpTo(limit, (limitLeft) => {
      const most = Math.min(limitLeft, isWaiting ? 1 : secretsAtOnce)
      const expired = [expiredByMicros, most]
      return db
        .transaction(
          async (sql) => {
            const rows = await sql.rows<ExpiredRow>(isWaiting ? lockNext : lockFree, expired)
            const isErased = await eraseAndReport(sql, rows, report)
            return ok({ locked: rows.length, rows: isErased ? rows.length : 0 })
          },
          { isolation: 'READ COMMITTED' },
        )
        .map(({ locked, rows }) => {
          const more = locked === most || !isWaiting
          isWaiting = locked < most
          return { rows, more }
        })
    })
  }
}

/** Erases secrets as {@link eraseSecrets} does, and reports those that were never opened. */
async function eraseAndReport(
  sql: Sql,
  rows: readonly ExpiredRow[],
  report: (unopened: StoredShareableSecret) => SecretEvent,
): Promise<boolean> {
  if (rows.length === 0) return true
  const secrets = rows.map(([accountId, isUnopened, ...row]) => ({
    isUnopened,
    secret: shareableOf(accountId, row),
  }))
  const isErased = await run(sql, eraseSecrets(secrets.map(({ secret }) => secret.id)))
  if (isErased) {
    const unopened = secrets.filter(({ isUnopened }) => isUnopened)
    await queueEvents(
      sql,
      unopened.map(({ secret }) => report(secret)),
    )
  }
  return isErased
}
