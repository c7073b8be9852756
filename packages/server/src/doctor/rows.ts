import { createKeyRing, createNodeCrypto } from '@sotto/adapter-node-crypto'
import {
  compareKeyRing,
  findDamage,
  type Clock,
  type DecryptError,
  type Finding,
  type OpenStorage,
} from '@sotto/core'
import { bad, good, unchecked } from './finding.ts'

const check = 'rows'

/** Authenticates everything that is encrypted: one finding for each damaged row. */
export async function checkRows({
  storage,
  keysFile,
  clock,
}: {
  readonly storage: OpenStorage
  readonly keysFile: string
  readonly clock: Clock
}): Promise<readonly Finding[]> {
  const ring = createKeyRing({ keyFile: keysFile, instanceId: storage.instanceId, clock })
  if (ring.isErr()) return [unchecked(check, 'the key file cannot be used')]
  const known = await storage.keys.list()
  if (known.isErr()) return [unchecked(check, 'the database cannot be read')]
  if (compareKeyRing(ring.value, known.value).length > 0)
    return [unchecked(check, 'the keys do not fit the data')]
  const crypto = createNodeCrypto({ ring: ring.value })
  try {
    const damage = await findDamage({ ...storage, ...crypto })
    if (damage.isErr()) return [unchecked(check, 'the database cannot be read')]
    const intact = good(
      check,
      'everything that is encrypted is intact; notes with a password cannot be checked',
    )
    return damage.value.length === 0 ? [intact] : damage.value.map(damageFinding)
  } finally {
    await crypto.close()
  }
}

function damageFinding(error: DecryptError): Finding {
  return error.code === 'data_damaged'
    ? bad(check, `${error.what} of ${error.id} does not decrypt: it is lost, unless a backup has it`)
    : bad(check, `a row needs key ${error.kid}, which the key file lacks: put back a copy that holds it`)
}
