import { createKeyRing } from '@sotto/adapter-node-crypto'
import {
  compareKeyRing,
  keyStatus,
  type Clock,
  type Finding,
  type KeyRingUnfit,
  type KeyStatus,
} from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { counted, listed } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'

const check = 'keys'

/** Checks that the key file holds the keys that the data is under, that no rotation was interrupted, and which servers lack a key. */
export async function checkKeys({
  storage,
  keysFile,
  clock,
}: {
  readonly storage: Pick<FullOpenStorage, 'keys' | 'servers' | 'instanceId'>
  readonly keysFile: string
  readonly clock: Clock
}): Promise<readonly Finding[]> {
  const opened = createKeyRing({ keyFile: keysFile, instanceId: storage.instanceId, clock })
  if (opened.isErr()) return [unchecked(check, 'the key file cannot be used')]
  const ring = opened.value
  const known = await storage.keys.known()
  const status = await keyStatus({ ...storage, clock })
  if (known.isErr() || status.isErr()) return [unchecked(check, 'the database cannot be read')]
  const unfit = compareKeyRing(ring, known.value)
  if (unfit.length > 0) return unfit.map(unfitFinding)
  return [rowsFinding(status.value), ...status.value.flatMap(lackFindings)]
}

function rowsFinding(keys: readonly KeyStatus[]): Finding {
  const active = keys.find((key) => key.active)?.kid ?? 'none'
  const waiting = keys.find((key) => key.waiting)
  const old = keys.filter((key) => !key.active && key.rows > 0)
  if (old.length > 0) {
    const rows = old.reduce((sum, key) => sum + key.rows, 0)
    const kids = listed(old.map(({ kid }) => String(kid)))
    return bad(
      check,
      `${counted(rows, 'row is', 'rows are')} still under an old key (${kids}): sotto keys rotate`,
    )
  }
  const wait = waiting === undefined ? '' : `; key ${waiting.kid} waits for sotto keys rotate`
  return good(check, `all of them fit the data, and every row is under key ${active}${wait}`)
}

function lackFindings({ kid, lackedBy }: KeyStatus): readonly Finding[] {
  if (lackedBy.length === 0) return []
  return [
    bad(
      check,
      `key ${kid} is missing on ${listed(lackedBy.map(({ name }) => name))}: copy the key file there`,
    ),
  ]
}

function unfitFinding({ kid, reason }: KeyRingUnfit): Finding {
  return reason === 'missing'
    ? bad(check, `the key file lacks key ${kid}: put back a copy that holds it`)
    : bad(check, `key ${kid} in the key file is a different key: put back the right file`)
}
