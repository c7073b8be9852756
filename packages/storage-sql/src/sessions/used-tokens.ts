import type { UsedToken, UsedTokenStore } from '@sotto/identity'
import { ok } from 'neverthrow'
import { changes, type Engine, type Work } from '../engine/engine.ts'

/** The tokens that count once. */
export function createUsedTokens({ write }: Engine): UsedTokenStore {
  return {
    use: (token) =>
      write(function* () {
        return ok(yield* useToken(token))
      }),

    eraseOver: (nowMicros, limit) =>
      write(function* () {
        return ok(
          yield* changes(
            `DELETE FROM used_tokens WHERE digest IN
               (SELECT digest FROM used_tokens WHERE erase_at <= $1 ORDER BY erase_at LIMIT $2)`,
            ...[nowMicros, limit],
          ),
        )
      }),
  }
}

/** Uses a token. False when it was used before. */
export function* useToken({ digest, eraseAtMicros }: UsedToken): Work<boolean> {
  const added = yield* changes(
    'INSERT INTO used_tokens (digest, erase_at) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING',
    ...[digest, eraseAtMicros],
  )
  return added > 0
}
