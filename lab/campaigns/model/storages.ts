import type { FullOpenStorage, FullStorageDriver } from '@sotto/identity'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresDriver } from '@sotto/adapter-postgres/identity'
import { sqliteDriver } from '@sotto/adapter-sqlite/identity'
import { createMemoryStorage, expectOk } from '@sotto/test-kit'
import { startChild, type Child } from '../support/child.ts'

export const storageNames = ['memory', 'sqlite', 'postgres'] as const
export type StorageName = (typeof storageNames)[number]

/** Opens empty storages of every kind. */
export interface Storages {
  /** An empty storage; `close` removes its data. One of each kind at a time. */
  open(name: StorageName): Promise<FullOpenStorage>
  stop(): Promise<void>
}

export function createStorages(): Storages {
  let server: Child | undefined
  return {
    async open(name) {
      if (name === 'memory') return createMemoryStorage({ activeKids: [] })
      if (name === 'sqlite') return openSqlite()
      server ??= startServer()
      server.send('take')
      return open(postgresDriver({ url: await server.line(), connectionsMax: 2 }))
    },
    async stop() {
      await server?.end()
    },
  }
}

async function openSqlite(): Promise<FullOpenStorage> {
  // An fsync costs nothing in memory.
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const dataDir = mkdtempSync(join(parent, 'sotto-model-'))
  const storage = await open(sqliteDriver({ dataDir }))
  return {
    ...storage,
    async close() {
      await storage.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function open(driver: FullStorageDriver): Promise<FullOpenStorage> {
  const onFatal = (error: unknown): never => {
    throw error
  }
  return expectOk(await driver.open({ onFatal, log: () => undefined }), 'opening a storage')
}

function startServer(): Child {
  const program = new URL(
    '../../../packages/adapter-postgres/test/support/databases-process.ts',
    import.meta.url,
  )
  return startChild({ program, env: process.env })
}
