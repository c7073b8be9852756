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
import type { Connections } from '../file/connections.ts'
import { isAccountSql } from './accounts.ts'
import { uuidBytes } from './codec.ts'

export function createSignIns(connections: Connections): SignInStore {
  const { reader, writer, read, write } = connections
  const eraseOver = writer.prepare(
    `DELETE FROM sign_in_attempts WHERE bucket IN
       (SELECT bucket FROM sign_in_attempts WHERE erase_at <= ? ORDER BY erase_at LIMIT ?)`,
  )
  const knows = reader
    .prepare<[Buffer, Uint8Array, number], number>(
      'SELECT 1 FROM known_addresses WHERE account_id = ? AND address = ? AND used_at >= ?',
    )
    .pluck()

  return {
    update: createUpdate(connections),

    eraseOver: (nowMicros, limit) =>
      write(() => {
        const rows = eraseOver.run(nowMicros, limit).changes
        if (rows > 0) connections.erased()
        return ok(rows)
      }),

    rememberAddress: createRememberAddress(connections),

    knowsAddress: (accountId, addresses, sinceMicros) =>
      read(() => {
        const account = uuidBytes(accountId)
        return addresses.some((address) => knows.get(account, address, sinceMicros) !== undefined)
      }),
  }
}

function createUpdate(connections: Connections): SignInStore['update'] {
  const { writer, write } = connections
  const find = writer
    .prepare<[Uint8Array], string | null>('SELECT attempts FROM sign_in_attempts WHERE bucket = ?')
    .pluck()
  const put = createPut(connections)

  return <Change extends AttemptsChange, E>(
    buckets: readonly Uint8Array[],
    decide: (attempts: readonly AttemptState[]) => Result<Change, E>,
  ) =>
    write<Change, E>(() => {
      const decision = decide(buckets.map((bucket) => attemptsOf(find.get(bucket) ?? null)))
      if (decision.isOk()) buckets.forEach((bucket, at) => put(bucket, decision.value.buckets[at]))
      return decision
    })
}

function createPut({
  writer,
  erased,
}: Connections): (name: Uint8Array, bucket: AttemptBucket | undefined) => void {
  const erase = writer.prepare('DELETE FROM sign_in_attempts WHERE bucket = ?')
  const store = writer.prepare(
    `INSERT INTO sign_in_attempts (bucket, attempts, erase_at) VALUES (?, ?, ?)
     ON CONFLICT (bucket) DO UPDATE SET attempts = excluded.attempts, erase_at = excluded.erase_at`,
  )
  return (name, bucket) => {
    if (bucket !== undefined) store.run(name, attemptsText(bucket.attempts), bucket.eraseAtMicros)
    else if (erase.run(name).changes > 0) erased()
  }
}

function createRememberAddress({ writer, write, erased }: Connections): SignInStore['rememberAddress'] {
  const isAccount = writer.prepare<[Buffer], number>(isAccountSql).pluck()
  const remember = writer.prepare(
    `INSERT INTO known_addresses (account_id, address, used_at) VALUES (?, ?, ?)
     ON CONFLICT (account_id, address) DO UPDATE SET used_at = excluded.used_at`,
  )
  const forget = writer.prepare(
    `DELETE FROM known_addresses WHERE account_id = ? AND address IN
       (SELECT address FROM known_addresses WHERE account_id = ? ORDER BY used_at DESC LIMIT -1 OFFSET ?)`,
  )
  return ({ accountId, address, atMicros }, keep) =>
    write((): Result<void, AccountNotFound> => {
      const account = uuidBytes(accountId)
      if (isAccount.get(account) === undefined) return err({ code: 'account_not_found' })
      remember.run(account, address, atMicros)
      if (forget.run(account, account, keep).changes > 0) erased()
      return ok()
    })
}
