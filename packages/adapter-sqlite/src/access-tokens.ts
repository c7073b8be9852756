import type { AccessTokenStore, AccountNotFound, StoredAccessToken, TokenStanding, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { scopesOf, scopesText, uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { positionOf } from './positions.ts'
import { ciphertextOf } from './secret-rows.ts'
import type { Storage } from './storage.ts'

type StandingRow = [
  id: string,
  accountId: string,
  scopes: string,
  expiresAt: number | null,
  revokedAt: number | null,
  lastUsedAt: number | null,
  accountDisabled: number,
]

export function createAccessTokens(storage: Storage, keyCheck: KeyCheck): AccessTokenStore {
  const { reader, writer, read, write } = storage
  const insert = writer.prepare(
    `INSERT INTO access_tokens (id, account_id, created_at, expires_at, revoked_at, last_used_at, scopes, kid,
       name, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  // Not a join: SQLite plans one anew each time that it runs, which takes three times as long as to run it. (An account that were
  // missing would be a disabled one.)
  const findByHash = reader
    .prepare<[Uint8Array], StandingRow>(
      `SELECT hex(id), hex(account_id), scopes, expires_at, revoked_at, last_used_at,
         coalesce((SELECT disabled_at IS NOT NULL FROM accounts WHERE id = account_id), 1)
       FROM access_tokens WHERE hash = ?`,
    )
    .raw()
  const revoke = writer.prepare(
    'UPDATE access_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? AND account_id = ?',
  )

  return {
    insert: (token, hash) =>
      write(() =>
        keyCheck<AccountNotFound>(token.name.kid, () => insert.run(...valuesOf(token), hash), {
          code: 'account_not_found',
        }),
      ),

    findByHash: (hash) =>
      read(() => {
        const row = findByHash.get(hash)
        return row && standingOf(row)
      }),

    slice: createSlice(storage),

    revoke: (accountId, id, atMicros) =>
      write(() => ok(revoke.run(atMicros, uuidBytes(id), uuidBytes(accountId)).changes > 0)),

    noteUse: createNoteUse(storage),
  }
}

function valuesOf(token: StoredAccessToken): unknown[] {
  return [
    uuidBytes(token.id),
    uuidBytes(token.accountId),
    token.createdAtMicros,
    token.expiresAtMicros,
    token.revokedAtMicros,
    token.lastUsedAtMicros,
    scopesText(token.scopes),
    token.name.kid,
    token.name.ciphertext,
  ]
}

function standingOf(row: StandingRow): TokenStanding {
  const [id, accountId, scopes, expiresAt, revokedAt, lastUsedAt, accountDisabled] = row
  return {
    id: uuidOf(id),
    accountId: uuidOf(accountId),
    scopes: scopesOf(scopes),
    expiresAtMicros: expiresAt ?? undefined,
    revokedAtMicros: revokedAt ?? undefined,
    lastUsedAtMicros: lastUsedAt ?? undefined,
    accountDisabled: accountDisabled === 1,
  }
}

type TokenRow = [
  id: string,
  createdAt: number,
  expiresAt: number | null,
  revokedAt: number | null,
  lastUsedAt: number | null,
  scopes: string,
  kid: number,
  name: Buffer,
]

function createSlice({ reader, read }: Storage): AccessTokenStore['slice'] {
  const slice = reader
    .prepare<[Buffer, number, Buffer, number], TokenRow>(
      `SELECT hex(id), created_at, expires_at, revoked_at, last_used_at, scopes, kid, name FROM access_tokens
       WHERE account_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
    )
    .raw()
  return (accountId, after, limit) =>
    read(() =>
      slice.all(uuidBytes(accountId), ...positionOf(after), limit).map((row) => tokenOf(accountId, row)),
    )
}

function tokenOf(
  accountId: Uuid,
  [id, createdAtMicros, expiresAt, revokedAt, lastUsedAt, scopes, kid, name]: TokenRow,
): StoredAccessToken {
  return {
    id: uuidOf(id),
    accountId,
    name: { kid, ciphertext: ciphertextOf(name) },
    scopes: scopesOf(scopes),
    createdAtMicros,
    expiresAtMicros: expiresAt ?? undefined,
    revokedAtMicros: revokedAt ?? undefined,
    lastUsedAtMicros: lastUsedAt ?? undefined,
  }
}

const useNotedEveryMicros = 60 * 1_000_000
/** Tokens whose last use this process remembers, so that it does not write it again and again. */
const remembered = 10_000

/** At most one write a minute for each token, by all processes together. */
function createNoteUse({ writer, write }: Storage): AccessTokenStore['noteUse'] {
  const noteUse = writer.prepare(
    `UPDATE access_tokens SET last_used_at = @at WHERE id = @id
       AND (last_used_at IS NULL OR abs(last_used_at - @at) >= ${useNotedEveryMicros})`,
  )
  const noted = new Map<Uuid, number>()
  return (id, atMicros) => {
    const before = noted.get(id)
    if (before !== undefined && Math.abs(before - atMicros) < useNotedEveryMicros) return
    noted.delete(id)
    const [oldest] = noted.keys()
    if (oldest !== undefined && noted.size >= remembered) noted.delete(oldest)
    noted.set(id, atMicros)
    const written = write(() => ok(noteUse.run({ at: atMicros, id: uuidBytes(id) })))
    void written.match(
      () => undefined,
      () => noted.delete(id),
    )
  }
}
