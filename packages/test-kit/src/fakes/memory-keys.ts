import type { KeyStore } from '@sotto/core'
import { err, ok } from 'neverthrow'
import type { MemoryConnection } from './memory-data.ts'
import { rowsUnder } from './memory-rewraps.ts'

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
