import type { Result } from 'neverthrow'
import type { KeyRing } from './cipher.ts'

/**
 * Runs a write that encrypts. When the store refuses its key, because another one is active by now, the process follows and the write runs
 * once more, encryption included.
 */
export async function underActiveKey<R extends Result<unknown, unknown>>(
  keyRing: Pick<KeyRing, 'follow'>,
  write: () => PromiseLike<R>,
): Promise<R> {
  const first = await write()
  if (first.isOk() || !isKeyRetired(first.error)) return first
  await keyRing.follow()
  return write()
}

function isKeyRetired(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'key_retired'
}
