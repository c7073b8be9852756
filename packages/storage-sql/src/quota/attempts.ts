import { attemptsOf, attemptsText, type AttemptBucket, type AttemptState } from '@sotto/core'
import { changes, row, type Work } from '../engine/engine.ts'

/**
 * Attempts of one owner, or from one address, may come at the same time. They wait for each other's locks, so that none has to run again.
 * The statement adds the bucket that is missing, and locks it: DO NOTHING would neither lock nor return one that is there.
 */
const lock = `INSERT INTO sign_in_attempts (bucket, erase_at) VALUES ($1, 0)
  ON CONFLICT (bucket) DO UPDATE SET bucket = excluded.bucket RETURNING attempts`

/** The attempts that are counted in a bucket. */
export function* attemptsIn(bucket: Uint8Array): Work<AttemptState> {
  const [text] =
    (yield* row<[string | null]>('SELECT attempts FROM sign_in_attempts WHERE bucket = $1', bucket)) ?? []
  return attemptsOf(text ?? null)
}

/** Reads the attempts of a bucket, which is locked until the transaction ends. */
export function* lockAttempts(bucket: Uint8Array | undefined): Work<AttemptState> {
  const [text] = (yield* row<[string | null]>(lock, bucket)) ?? []
  return attemptsOf(text ?? null)
}

/** Stores the attempts of a bucket that is locked; `undefined` erases it. */
export function* storeAttempts(name: Uint8Array, bucket: AttemptBucket | undefined): Work<void> {
  if (bucket === undefined) yield* changes('DELETE FROM sign_in_attempts WHERE bucket = $1', name)
  else
    yield* changes(
      'UPDATE sign_in_attempts SET attempts = $2, erase_at = $3 WHERE bucket = $1',
      ...[name, attemptsText(bucket.attempts), bucket.eraseAtMicros],
    )
}
