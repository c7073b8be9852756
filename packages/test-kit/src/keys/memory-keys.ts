import { activeKeyOf, type KeyStore, type ServerStore, type StoredKey } from '@sotto/core'
import { err, ok } from 'neverthrow'
import type { MemoryConnection, MemoryData } from '../stores/memory-data.ts'
import { rowsUnder } from './memory-rewraps.ts'

export function createMemoryKeys({ data, answer }: MemoryConnection): KeyStore {
  return {
    known: () => answer(() => ok(structuredClone(keysOf(data)))),

    list: () =>
      answer(() =>
        ok(keysOf(data).map((key) => ({ ...structuredClone(key), rows: rowsUnder(data, key.kid) }))),
      ),

    add: (key) =>
      answer(() => {
        data.keys.set(key.kid, data.keys.get(key.kid) ?? structuredClone(key))
        return ok()
      }),

    activate: (kid) =>
      answer(() => {
        if (!data.keys.has(kid) || kid < (activeKeyOf(keysOf(data))?.kid ?? 0)) return ok(false)
        for (const key of keysOf(data)) data.keys.set(key.kid, { ...key, isReadOnly: key.kid !== kid })
        return ok(true)
      }),

    retire: (kid) =>
      answer(() => {
        const rows = rowsUnder(data, kid)
        if (rows > 0) return err({ code: 'key_in_use', rows })
        return ok(data.keys.delete(kid))
      }),
  }
}

/** The keys by kid. */
function keysOf({ keys }: MemoryData): readonly StoredKey[] {
  return [...keys.values()].toSorted((one, other) => one.kid - other.kid)
}

export function createMemoryServers({ data, answer }: MemoryConnection): ServerStore {
  const { servers } = data
  return {
    list: () =>
      answer(() => {
        const shown = [...servers.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
        return ok(structuredClone(shown))
      }),

    show: (server, forgottenByMicros) =>
      answer(() => {
        for (const { id, seenAtMicros } of servers.values())
          if (seenAtMicros <= forgottenByMicros) servers.delete(id)
        servers.set(server.id, structuredClone(server))
        return ok()
      }),

    remove: (id) =>
      answer(() => {
        servers.delete(id)
        return ok()
      }),
  }
}
