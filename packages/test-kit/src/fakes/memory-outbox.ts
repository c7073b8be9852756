import type { OutboxStore } from '@sotto/core'
import { ok } from 'neverthrow'
import { pageOf, type MemoryConnection } from './memory-data.ts'

export function createMemoryOutbox({ data, answer }: MemoryConnection): OutboxStore {
  return {
    page: (after, limit) => answer(() => ok(pageOf([...data.outbox.values()], after, limit))),

    remove: (id) => answer(() => ok(data.outbox.delete(id))),
  }
}
