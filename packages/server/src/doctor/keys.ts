import { createKeyRing } from '@sotto/adapter-node-crypto'
import { compareKeyRing, type Clock, type Finding, type KeyRingUnfit, type OpenStorage } from '@sotto/core'
import { counted, listed } from '../text.ts'
import { bad, good, unchecked } from './finding.ts'

const check = 'keys'

/** Checks that the key file holds the keys that the data was written under, and that no rotation was interrupted. */
export async function checkKeys({
  storage,
  keysFile,
  clock,
}: {
  readonly storage: Pick<OpenStorage, 'keys' | 'instanceId'>
  readonly keysFile: string
  readonly clock: Clock
}): Promise<readonly Finding[]> {
  const opened = createKeyRing({ keyFile: keysFile, instanceId: storage.instanceId, clock })
  if (opened.isErr()) return [unchecked(check, 'the key file cannot be used')]
  const ring = opened.value
  const known = await storage.keys.list()
  if (known.isErr()) return [unchecked(check, 'the database cannot be read')]
  const unfit = compareKeyRing(ring, known.value)
  if (unfit.length > 0) return unfit.map(unfitFinding)
  const active = ring.activeKid()
  const old = known.value.filter(({ kid, rows }) => kid !== active && rows > 0)
  if (old.length === 0) return [good(check, `all of them fit the data, and every row is under key ${active}`)]
  const rows = old.reduce((sum, key) => sum + key.rows, 0)
  const kids = listed(old.map(({ kid }) => String(kid)))
  return [
    bad(check, `${counted(rows, 'row is', 'rows are')} still under an old key (${kids}): sotto keys rotate`),
  ]
}

function unfitFinding({ kid, reason }: KeyRingUnfit): Finding {
  return reason === 'missing'
    ? bad(check, `the key file lacks key ${kid}: put back a copy that holds it`)
    : bad(check, `key ${kid} in the key file is a different key: put back the right file`)
}
