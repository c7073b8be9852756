import type { KeyStore } from '@sotto/core'
import { err, ok } from 'neverthrow'
import type { MemoryConnection, MemoryData } from './memory-data.ts'

export function createMemoryKeys({ data, answer }: MemoryConnection): KeyStore {
  return {
    list: () =>
      answer(() => {
        const keys = [...data.keys.values()].toSorted((one, other) => one.kid - other.kid)
        return ok(keys.map((key) => ({ ...key, rows: rowsUnder(data, key.kid) })))
      }),

    add: (key) =>
      answer(() => {
        data.keys.set(key.kid, data.keys.get(key.kid) ?? structuredClone(key))
        return ok()
      }),

    retire: (kid) =>
      answer(() => {
        const rows = rowsUnder(data, kid)
        if (rows > 0) return err({ code: 'key_in_use', rows })
        return ok(data.keys.delete(kid))
      }),
  }
}

/** How many rows are under the key. */
export function rowsUnder(
  { accounts, folders, accessTokens, passwords, webhooks, sessions, secrets }: MemoryData,
  kid: number,
): number {
  const kids = [
    ...accounts.values().map(({ account }) => account.name.kid),
    ...folders.values().map(({ label }) => label.kid),
    ...accessTokens.values().map(({ token }) => token.name.kid),
    ...passwords.values().map(({ hash }) => hash.kid),
    ...accounts.values().map(({ account }) => account.displayName?.name.kid),
    ...sessions.values().map(({ session }) => session.name?.kid),
    ...webhooks.values().map(({ endpoint }) => endpoint.kid),
    ...secrets.values().map(({ secret }) => secret.kid),
  ]
  return kids.filter((each) => each === kid).length
}
