import { createKeyRing } from '@sotto/adapter-node-crypto'
import type { Database } from '@sotto/adapter-sqlite'
import type { Clock } from '@sotto/core'
import { counted, listed } from '../cli/counting.ts'
import { unchecked, well, wrong, type Finding } from './finding.ts'

interface KeysInput {
  readonly database: Pick<Database, 'keys' | 'instanceId'>
  readonly keysFile: string
  readonly clock: Clock
}

/** Whether the key file holds the very keys that the database was written with, and whether a rotation was cut off. */
export async function checkKeys({ database, keysFile, clock }: KeysInput): Promise<readonly Finding[]> {
  const opened = createKeyRing({ keyFile: keysFile, instanceId: database.instanceId, clock })
  if (opened.isErr()) return [unchecked('keys', 'the key file cannot be used')]
  const ring = opened.value
  const known = await database.keys.list()
  if (known.isErr()) return [unchecked('keys', 'the database cannot be read')]
  const findings: Finding[] = []
  for (const { kid, checkValue } of known.value) {
    if (!ring.kids().includes(kid)) {
      findings.push(wrong('keys', `the key file lacks key ${kid}: put back a copy that holds it`))
    } else if (!Buffer.from(ring.checkValue(kid)).equals(checkValue)) {
      findings.push(wrong('keys', `key ${kid} in the key file is another one: put back the right file`))
    }
  }
  if (findings.length > 0) return findings
  const active = ring.activeKid()
  const old = known.value.filter(({ kid, rows }) => kid !== active && rows > 0)
  if (old.length > 0) {
    const rows = old.reduce((sum, each) => sum + each.rows, 0)
    const kids = listed(old.map(({ kid }) => String(kid)))
    return [
      wrong(
        'keys',
        `${counted(rows, 'row is', 'rows are')} under an old key still (${kids}): sotto keys rotate`,
      ),
    ]
  }
  return [well('keys', `they fit, and everything is under key ${active}`)]
}
