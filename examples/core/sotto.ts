import { createKeyFile, createKeyRing, createNodeCrypto, openKeyFile } from '@sotto/adapter-node-crypto'
import { sqliteDriver } from '@sotto/adapter-sqlite'
import { createSotto, fitKeyRing } from '@sotto/core'
import { createSystemClock } from '@sotto/system'
import type { Result } from 'neverthrow'

/** Opens Sotto on SQLite, with its keys in a file outside the data's directory. Call `close` at the end. */
export async function openSotto({ dataDir, keyFile }: { dataDir: string; keyFile: string }) {
  const [driver, clock] = [sqliteDriver({ dataDir }), createSystemClock()]
  must(await driver.prepare())
  must(must(await driver.hasData()) ? openKeyFile(keyFile) : createKeyFile({ path: keyFile, clock }))
  const onFatal = () => process.exit(74) // the disk did not keep what was written
  const storage = must(await driver.open({ onFatal, log: (level, message) => console.error(level, message) }))
  const ring = must(createKeyRing({ keyFile, instanceId: storage.instanceId, clock }))
  must(await fitKeyRing({ keyRing: ring, keys: storage.keys, clock }))
  const { close: closeCrypto, ...crypto } = createNodeCrypto({ ring })
  const ports = { ...storage, ...crypto, mailSender: undefined, webhookSender: undefined, clock }
  const policy = { noteMaxBytes: 65_536, quota: { perMinute: 60, perDay: 1_440 } }
  const close = () => closeCrypto().then(() => storage.close())
  return { sotto: createSotto({ ports, policy }), close }
}

/** The value of a result that has no error; throws the error's code otherwise. */
export function must<T>(result: Result<T, { readonly code: string }>): T {
  if (result.isErr()) throw new Error(result.error.code)
  return result.value
}
