import { createKeyRing, createNodeCrypto } from '@sotto/adapter-node-crypto'
import { createAccounts, takesFiles, type Clock, type FilePolicy, type Finding } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { sizeText } from '@sotto/system'
import { good, unchecked } from '../shared/finding.ts'
import { printable } from '../shared/printable.ts'

const check = 'files'

/** How many accounts are named. */
const namedMax = 5

/** Names the accounts whose files count most. It finds nothing where no files are taken, or none is there. */
export async function largestFiles({
  storage,
  keysFile,
  clock,
  policy,
}: {
  readonly storage: FullOpenStorage
  readonly keysFile: string
  readonly clock: Clock
  /** `undefined` where the settings are not known. */
  readonly policy?: FilePolicy | undefined
}): Promise<readonly Finding[]> {
  if (!takesFiles(policy)) return []
  const ring = createKeyRing({ keyFile: keysFile, instanceId: storage.instanceId, clock })
  // The check of the keys says why.
  if (ring.isErr()) return []
  const crypto = createNodeCrypto({ ring: ring.value })
  const { listAccounts } = createAccounts({ ports: { ...storage, ...crypto, clock } })
  let largest: readonly { readonly name: string; readonly bytes: number }[] = []
  try {
    for await (const account of listAccounts().items()) {
      if (account.isErr()) return [unchecked(check, 'the accounts cannot be read')]
      const { id, email = id } = account.value
      const bytes = await storage.secretFiles.bytesOf(id)
      if (bytes.isErr()) return [unchecked(check, 'the database cannot be read')]
      const all = [...largest, { name: email, bytes: bytes.value }]
      largest = all.toSorted((one, other) => other.bytes - one.bytes).slice(0, namedMax)
    }
  } finally {
    await crypto.close()
  }
  const named = largest.filter(({ bytes }) => bytes > 0)
  if (named.length === 0) return []
  const texts = named.map(({ name, bytes }) => `${printable(name)} (${sizeText(bytes)})`)
  return [good(check, `the accounts with the largest files are ${texts.join(', ')}`)]
}
