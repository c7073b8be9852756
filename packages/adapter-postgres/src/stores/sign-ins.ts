import {
  attemptsOf,
  attemptsText,
  type AccountNotFound,
  type AttemptBucket,
  type AttemptsChange,
  type AttemptState,
  type SignInStore,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { isAccount } from './accounts.ts'

// The condition stands there twice, so that a bucket that was stored since it was found stays.
const eraseOver = {
  name: 'sign_ins_erase_over',
  text: `DELETE FROM sign_in_attempts WHERE erase_at <= $1 AND bucket IN
    (SELECT bucket FROM sign_in_attempts WHERE erase_at <= $1 ORDER BY erase_at LIMIT $2)`,
}
const knows = {
  name: 'sign_ins_knows_address',
  text: 'SELECT 1 FROM known_addresses WHERE account_id = $1 AND address = ANY ($2::bytea[]) AND used_at >= $3 LIMIT 1',
}

export function createSignIns(db: Database): SignInStore {
  return {
    update: createUpdate(db),

    eraseOver: (nowMicros, limit) =>
      db.statement(async (sql) => ok(await sql.changes(eraseOver, [nowMicros, limit]))),

    rememberAddress: createRememberAddress(db),

    knowsAddress: (accountId, addresses, sinceMicros) =>
      db.read(async (sql) => (await sql.row(knows, [accountId, addresses, sinceMicros])) !== undefined),
  }
}

/** Adds the buckets that are missing, and locks all of them. DO NOTHING would neither lock nor return those that are there. */
const lock = {
  name: 'sign_ins_lock',
  text: `INSERT INTO sign_in_attempts (bucket, erase_at) SELECT name, 0 FROM unnest($1::bytea[]) AS name
    ON CONFLICT (bucket) DO UPDATE SET bucket = excluded.bucket RETURNING bucket, attempts`,
}
const erase = { name: 'sign_ins_erase', text: 'DELETE FROM sign_in_attempts WHERE bucket = $1' }
const put = {
  name: 'sign_ins_put',
  text: `INSERT INTO sign_in_attempts (bucket, attempts, erase_at) VALUES ($1, $2, $3)
    ON CONFLICT (bucket) DO UPDATE SET attempts = excluded.attempts, erase_at = excluded.erase_at`,
}

/** Attempts of one owner, or from one address, may come all at once. They wait for each other's locks, so that none has to run again. */
function createUpdate(db: Database): SignInStore['update'] {
  return <Change extends AttemptsChange, E>(
    buckets: readonly Uint8Array[],
    decide: (attempts: readonly AttemptState[]) => Result<Change, E>,
  ) =>
    db.transaction(
      async (sql) => {
        const decision = decide(await lockAttempts(sql, buckets))
        if (decision.isErr()) return decision
        for (const [at, name] of buckets.entries()) await store(sql, name, decision.value.buckets[at])
        return decision
      },
      { isolation: 'READ COMMITTED' },
    )
}

async function lockAttempts(sql: Sql, buckets: readonly Uint8Array[]): Promise<readonly AttemptState[]> {
  // In one order, so that no two transactions wait for each other.
  const ordered = [...buckets].sort((one, other) => Buffer.compare(one, other))
  const rows = await sql.rows<[bucket: Uint8Array, attempts: string | null]>(lock, [ordered])
  const textOf = new Map(rows.map(([bucket, text]) => [spelled(bucket), text]))
  return buckets.map((bucket) => attemptsOf(textOf.get(spelled(bucket)) ?? null))
}

function spelled(bucket: Uint8Array): string {
  return Buffer.from(bucket).toString('hex')
}

async function store(sql: Sql, name: Uint8Array, bucket: AttemptBucket | undefined): Promise<void> {
  if (bucket === undefined) await sql.changes(erase, [name])
  else await sql.changes(put, [name, attemptsText(bucket.attempts), bucket.eraseAtMicros])
}

const remember = {
  name: 'sign_ins_remember_address',
  text: `INSERT INTO known_addresses (account_id, address, used_at) VALUES ($1, $2, $3)
    ON CONFLICT (account_id, address) DO UPDATE SET used_at = excluded.used_at`,
}
const forget = {
  name: 'sign_ins_forget_addresses',
  text: `DELETE FROM known_addresses WHERE account_id = $1 AND address IN
    (SELECT address FROM known_addresses WHERE account_id = $1 ORDER BY used_at DESC OFFSET $2)`,
}

function createRememberAddress(db: Database): SignInStore['rememberAddress'] {
  return ({ accountId, address, atMicros }, keep) =>
    db.transaction(async (sql): Promise<Result<void, AccountNotFound>> => {
      if (!(await isAccount(sql, accountId))) return err({ code: 'account_not_found' })
      await sql.changes(remember, [accountId, address, atMicros])
      await sql.changes(forget, [accountId, keep])
      return ok()
    })
}
