import type { SignInStore } from '@sotto/identity'
import { noAttempts, type AttemptsChange, type AttemptState } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { equalBytes, type MemoryConnection } from '../stores/memory-data.ts'

export function createMemorySignIns({ data, answer, hasAccount }: MemoryConnection): SignInStore {
  return {
    update<Change extends AttemptsChange, E>(
      buckets: readonly Uint8Array[],
      decide: (attempts: readonly AttemptState[]) => Result<Change, E>,
    ) {
      return answer<Change, E>(() => {
        const names = buckets.map((bucket) => Buffer.from(bucket).toString('hex'))
        const attempts = names.map((name) => data.signInAttempts.get(name)?.attempts ?? noAttempts)
        return decide(attempts).map((change) => {
          for (const [at, name] of names.entries()) {
            const bucket = change.buckets[at]
            if (bucket === undefined) data.signInAttempts.delete(name)
            else data.signInAttempts.set(name, structuredClone(bucket))
          }
          return change
        })
      })
    },

    eraseOver: (nowMicros, limit) =>
      answer(() => {
        const over = [...data.signInAttempts]
          .filter(([, { eraseAtMicros }]) => eraseAtMicros <= nowMicros)
          .slice(0, limit)
        for (const [name] of over) data.signInAttempts.delete(name)
        return ok(over.length)
      }),

    rememberAddress: (known, keep) =>
      answer(() => {
        const { accountId, address } = known
        if (!hasAccount(accountId)) return err({ code: 'account_not_found' })
        const isOwn = (each: { readonly accountId: string }): boolean => each.accountId === accountId
        const others = data.knownAddresses.filter((each) => !isOwn(each))
        const own = data.knownAddresses.filter((each) => isOwn(each) && !equalBytes(each.address, address))
        const latest = [structuredClone(known), ...own].toSorted(
          (one, other) => other.atMicros - one.atMicros,
        )
        data.knownAddresses = [...others, ...latest.slice(0, keep)]
        return ok()
      }),

    knowsAddress: (accountId, addresses, sinceMicros) =>
      answer(() =>
        ok(
          data.knownAddresses.some(
            (known) =>
              known.accountId === accountId &&
              known.atMicros >= sinceMicros &&
              addresses.some((address) => equalBytes(address, known.address)),
          ),
        ),
      ),
  }
}
