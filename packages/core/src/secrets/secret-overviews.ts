import type { Result } from 'neverthrow'
import { type ShareableSecret, opensLeft } from './secret.ts'
import type { DecryptError } from '../shared/errors.ts'
import type { SecretCipher } from './secret-cipher.ts'
import type { SecretActivity, StoredOverview } from './secret-store.ts'
import { isDisabled, isLocked, withoutFuture } from '../shared/attempts.ts'
import { type SecretStatus, secretStatus } from './secret-status.ts'
import { showSecret } from './show-secret.ts'

// What the use-cases that show an owner the activity of secrets have in common.

/** A shareable secret with what happened to its link so far. */
export interface SecretOverview extends ShareableSecret {
  readonly status: SecretStatus
  /** How often it was opened. */
  readonly opens: number
  /** Opens that remain; `undefined` means without limit. */
  readonly opensLeft: number | undefined
  /** When it was opened: the latest 100, newest first. */
  readonly openedAtMicros: readonly number[]
  /** How often it was opened since its owner last looked, where the owner wants to know (`notify`). */
  readonly news: number
  /** The time until which wrong passwords lock it; `undefined` when they do not. */
  readonly lockedUntilMicros: number | undefined
  /** Whether wrong passwords have disabled it for good. */
  readonly isDisabled: boolean
  /** False once its note was destroyed by the last permitted open. */
  readonly hasNote: boolean
  /** How many files it has; absent when it has none. */
  readonly filesCount?: number
}

/** A stored secret and its activity as the owner sees them. */
export function showOverview(
  cipher: Pick<SecretCipher, 'decryptHead'>,
  { secret, activity, filesCount }: StoredOverview,
  nowMicros: number,
): Result<SecretOverview, DecryptError> {
  return showSecret(cipher, secret).map((shown) => overviewOf(shown, activity, nowMicros, filesCount))
}

/** A secret that was shown, with its activity. */
export function overviewOf(
  secret: ShareableSecret,
  activity: SecretActivity,
  nowMicros: number,
  filesCount = 0,
): SecretOverview {
  const { opens, hasNote, attempts, openedAtMicros, news } = activity
  const corrected = withoutFuture(attempts, nowMicros)
  return {
    ...secret,
    status: secretStatus(secret, activity),
    opens,
    opensLeft: opensLeft(secret.openLimit, opens),
    openedAtMicros: openedAtMicros.toReversed(),
    news,
    lockedUntilMicros: isLocked(corrected, nowMicros) ? corrected.lockedUntilMicros : undefined,
    isDisabled: isDisabled(attempts),
    hasNote,
    ...(filesCount > 0 && { filesCount }),
  }
}
