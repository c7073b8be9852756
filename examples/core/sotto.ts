import { createNodeCrypto, openWithKeys } from '@sotto/adapter-node-crypto'
import { sqliteDriver } from '@sotto/adapter-sqlite'
import { createSotto } from '@sotto/core'
import { createSystemClock } from '@sotto/system'
import type { Result } from 'neverthrow'

/** Opens Sotto on SQLite, with its keys in a file outside the data's directory. Call `close` at the end. */
export async function openSotto({ dataDir, keyFile }: { dataDir: string; keyFile: string }) {
  const [driver, clock] = [sqliteDriver({ dataDir }), createSystemClock()]
  const onFatal = () => process.exit(74) // the disk did not keep what was written
  const { storage, ring } = must(await openWithKeys({ driver, keyFile, clock, onFatal, log: console.error }))
  const { close: closeCrypto, ...crypto } = createNodeCrypto({ ring })
  const close = () => closeCrypto().then(() => storage.close())
  return { sotto: createSotto({ ports: { ...storage, ...crypto, clock } }), close }
}

/** The value of a result that has no error; throws the error's code otherwise. */
export function must<T>(result: Result<T, { readonly code: string }>): T {
  if (result.isErr()) throw new Error(result.error.code)
  return result.value
}
