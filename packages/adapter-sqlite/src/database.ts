import { basename } from 'node:path'
import type { StorageOpenError } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { createStores, rememberOwners } from '@sotto/storage-sql'
import { createIdentityStores } from '@sotto/storage-sql/identity'
import type { ResultAsync } from 'neverthrow'
import { createEngine } from './engine/engine.ts'
import { erasureOf } from './connection/erasure.ts'
import { openFile, type OpenFile, type OpenOptions } from './connection/open-file.ts'
import { databaseName, refusalOf } from './tables/main-file.ts'
import { mainSchema } from './tables/schema.ts'
import { createAccessTokens } from './access-tokens/access-tokens.ts'
import { createSecretCorruption } from './storage/corruption.ts'
import { createOwnDrafts } from './drafts/drafts.ts'
import { createEraseSecretsOf } from './secrets/erase-secrets.ts'
import { createIdempotencyKeys } from './secrets/idempotency-keys.ts'
import { createInsertSecretOf } from './secrets/insert-secret.ts'
import { createKeyCheck } from './engine/key-check.ts'
import { createLinks } from './secrets/links.ts'
import { createSecretRewraps } from './keys/rewraps.ts'
import { hasNote } from './secrets/secret-rows.ts'
import { createSecrets } from './secrets/secrets.ts'
import { createUpkeep } from './storage/upkeep.ts'

/** The stores in the main file. Every method answers an Err once {@link Database.close} was called. */
export type Database = Omit<FullOpenStorage, 'quota' | 'fileContents'>

/**
 * Opens the main file, and creates it if it does not exist. What is committed survives a power cut. Several processes may have it open at
 * once; within one process, open it once.
 */
export function openDatabase(options: OpenOptions): ResultAsync<Database, StorageOpenError> {
  const file = { name: databaseName, schema: mainSchema, refuse: refusalOf, synchronous: 'FULL' } as const
  const onMoved = (path: string): void => options.log('error', `${basename(path)} ${movedMessage}`, { path })
  return openFile({ ...options, ...file, onMoved }, databaseOn)
}

const movedMessage =
  'was moved, replaced or removed while it is open: nothing is written until it is back, or what has it open is restarted'

function databaseOn({ connections, checkpointer, timers, close }: OpenFile): Database {
  const engine = createEngine(connections)
  const keyCheck = createKeyCheck(connections)
  const erasure = erasureOf(checkpointer)
  const insert = createInsertSecretOf(connections)
  const own = { erase: createEraseSecretsOf(connections), insert, drafts: createOwnDrafts(insert), hasNote }
  const stores = createStores(engine, own)
  const identity = createIdentityStores(engine)
  const { accounts, folders, forget } = rememberOwners(stores)
  return {
    ...stores,
    accounts,
    folders,
    secrets: createSecrets(connections, engine, keyCheck),
    idempotencyKeys: createIdempotencyKeys(connections, engine, keyCheck),
    links: createLinks(connections),
    rewraps: { ...stores.rewraps, ...createSecretRewraps(connections, engine, keyCheck) },
    corruption: { ...stores.corruption, ...createSecretCorruption(connections) },
    ...identity,
    accessTokens: { ...identity.accessTokens, ...createAccessTokens(connections, engine) },
    instanceId: connections.db.prepare('SELECT instance_id FROM meta').pluck().get() as Buffer,
    upkeep: createUpkeep({ connections, erasure, timers }),
    erasure,
    close: () => close().finally(forget),
  }
}
