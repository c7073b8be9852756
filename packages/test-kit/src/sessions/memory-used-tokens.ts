import type { UsedToken, UsedTokenStore } from '@sotto/identity'
import { ok } from 'neverthrow'
import type { MemoryConnection, MemoryData } from '../stores/memory-data.ts'

export function createMemoryUsedTokens({ data, answer }: MemoryConnection): UsedTokenStore {
  return {
    use: (token) => answer(() => ok(useToken(data, token))),

    eraseOver: (nowMicros, limit) =>
      answer(() => {
        const over = [...data.usedTokens]
          .filter(([, eraseAtMicros]) => eraseAtMicros <= nowMicros)
          .slice(0, limit)
        for (const [digest] of over) data.usedTokens.delete(digest)
        return ok(over.length)
      }),
  }
}

/** Uses a token. False when it was used before. */
export function useToken({ usedTokens }: MemoryData, { digest, eraseAtMicros }: UsedToken): boolean {
  const key = Buffer.from(digest).toString('hex')
  if (usedTokens.has(key)) return false
  usedTokens.set(key, eraseAtMicros)
  return true
}
