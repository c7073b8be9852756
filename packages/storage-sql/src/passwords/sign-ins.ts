import type { SignInStore } from '@sotto/identity'
import type { AccountNotFound, AttemptsChange, AttemptState } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isAccount } from '../accounts/accounts.ts'
import { lockAttempts, storeAttempts } from '../quota/attempts.ts'
import { compareBytes } from '../engine/codec.ts'
import { changes, exists, type Engine, type Work } from '../engine/engine.ts'

/** The attempts to sign in, and the addresses that owners have signed in from. */
export function createSignIns(engine: Engine): SignInStore {
  const { dialect, read, write } = engine
  const { id } = dialect
  return {
    update: createUpdate(engine),

    // The condition stands there twice, so that a bucket that was stored since it was found stays.
    eraseOver: (nowMicros, limit) =>
      write(
        function* () {
          const count = yield* changes(
            `DELETE FROM sign_in_attempts WHERE erase_at <= $1 AND bucket IN
             (SELECT bucket FROM sign_in_attempts WHERE erase_at <= $1 ORDER BY erase_at LIMIT $2)`,
            ...[nowMicros, limit],
          )
          if (count > 0) engine.erased()
          return ok(count)
        },
        { isolation: 'locks' },
      ),

    rememberAddress: ({ accountId, address, atMicros }, keep) =>
      write(function* (): Work<Result<void, AccountNotFound>> {
        if (!(yield* isAccount(dialect, accountId))) return err({ code: 'account_not_found' })
        const account = id.in(accountId)
        yield* changes(
          `INSERT INTO known_addresses (account_id, address, used_at) VALUES ($1, $2, $3)
           ON CONFLICT (account_id, address) DO UPDATE SET used_at = excluded.used_at`,
          ...[account, address, atMicros],
        )
        const forgotten = yield* changes(
          `DELETE FROM known_addresses WHERE account_id = $1 AND address NOT IN
             (SELECT address FROM known_addresses WHERE account_id = $1 ORDER BY used_at DESC LIMIT $2)`,
          ...[account, keep],
        )
        if (forgotten > 0) engine.erased()
        return ok()
      }),

    knowsAddress: (accountId, addresses, sinceMicros) =>
      read(function* () {
        for (const address of addresses) {
          const isKnown = yield* exists(
            'SELECT 1 FROM known_addresses WHERE account_id = $1 AND address = $2 AND used_at >= $3',
            ...[id.in(accountId), address, sinceMicros],
          )
          if (isKnown) return true
        }
        return false
      }),
  }
}

function createUpdate({ write, erased }: Engine): SignInStore['update'] {
  return <Change extends AttemptsChange, E>(
    buckets: readonly Uint8Array[],
    decide: (attempts: readonly AttemptState[]) => Result<Change, E>,
  ) =>
    write<Change, E>(
      function* () {
        const found: AttemptState[] = []
        // The buckets are taken in one order, so that no two transactions wait for each other.
        for (const at of [...buckets.keys()].sort((one, other) =>
          compareBytes(buckets[one], buckets[other]),
        )) {
          found[at] = yield* lockAttempts(buckets[at])
        }
        const decision = decide(found)
        if (decision.isErr()) return decision
        for (const [at, name] of buckets.entries()) {
          const bucket = decision.value.buckets[at]
          yield* storeAttempts(name, bucket)
          if (bucket === undefined) erased()
        }
        return decision
      },
      { isolation: 'locks' },
    )
}
