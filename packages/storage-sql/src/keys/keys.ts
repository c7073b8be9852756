import type { KeyInUse, KeyStore, StoredKey } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { changes, exists, row, rows, type Engine, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { keyTables } from './tables.ts'

const keyRows = rowsOf(keyTables.keys).reading<StoredKey>({
  kid: 'kid',
  checkValue: 'check_value',
  createdAtMicros: 'created_at',
  isReadOnly: 'read_only',
})

/** The keys that rows may be under. @param keyedTables the tables whose rows are under a key */
export function createKeys(engine: Engine, keyedTables: readonly string[]): KeyStore {
  const { dialect, list, write, change } = engine
  const keys = keyRows(dialect)
  /** The number of rows that are under the key `k.kid`. */
  const rowsUnderKey = keyedTables
    .map((table) => `(SELECT count(*) FROM ${table} WHERE kid = k.kid)`)
    .join(' + ')
  return {
    known: () => list(`SELECT ${keys.columns} FROM keys ORDER BY kid`, [], keys.read),

    list: () =>
      list(
        `SELECT ${rowsUnderKey}, ${keys.columns} FROM keys k ORDER BY k.kid`,
        [],
        ([count, ...key]: [number, ...unknown[]]) => ({ ...keys.read(key), rows: count }),
      ),

    add: ({ kid, checkValue, createdAtMicros, isReadOnly }) =>
      change(
        'INSERT INTO keys (kid, check_value, created_at, read_only) VALUES ($1, $2, $3, $4) ON CONFLICT (kid) DO NOTHING',
        ...[kid, checkValue, createdAtMicros, dialect.flag.in(isReadOnly)],
      ).map(() => undefined),

    activate: createActivate(engine),

    // A row that is written under the key at the same time breaks the foreign key, here or there.
    retire: (kid) =>
      write(function* (): Work<Result<boolean, KeyInUse>> {
        const [count] =
          (yield* row<[number]>(`SELECT ${rowsUnderKey} FROM keys k WHERE k.kid = $1`, kid)) ?? []
        if (count === undefined) return ok(false)
        if (count > 0) return err({ code: 'key_in_use', rows: count })
        yield* changes('DELETE FROM keys WHERE kid = $1', kid)
        return ok(true)
      }),
  }
}

/**
 * Whoever writes a row holds its key until the end of that transaction. So a first transaction closes the other keys, after which nobody takes
 * hold of them any more. A second one waits for those who have; on its own it could wait for ever. It writes the rows of the keys once
 * more: who has read them before it has to read them again.
 */
function createActivate({ dialect, write }: Engine): KeyStore['activate'] {
  const [no, yes] = [dialect.flag.in(false), dialect.flag.in(true)]
  return (kid) =>
    write<boolean>(function* () {
      const isPossible = yield* exists(
        'SELECT 1 FROM keys k WHERE kid = $1 AND NOT EXISTS (SELECT 1 FROM keys n WHERE n.kid > k.kid AND NOT n.read_only)',
        kid,
      )
      if (!isPossible) return ok(false)
      yield* changes('UPDATE keys SET read_only = $2 WHERE kid = $1', kid, no)
      yield* changes('UPDATE keys SET read_only = $2 WHERE kid <> $1', kid, yes)
      return ok(true)
    }).andThen((isActive) =>
      write<boolean>(
        function* () {
          yield* rows(`SELECT kid FROM keys WHERE read_only${dialect.forUpdate}`)
          yield* changes('UPDATE keys SET read_only = read_only WHERE read_only')
          return ok(isActive)
        },
        { isolation: 'locks' },
      ),
    )
}
