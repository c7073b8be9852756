import { createKeyRing, createNodeCrypto } from '@sotto/adapter-node-crypto'
import { createAccounts, type Clock, type Finding } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { unchecked } from '../shared/finding.ts'

const check = 'accounts'

/**
 * Names the account that still has the address of no owner, which a first start without SOTTO_OWNER_EMAIL gave it. A disabled account may keep
 * it.
 */
export async function checkOwner({
  storage,
  keysFile,
  clock,
  email,
}: {
  readonly storage: FullOpenStorage
  readonly keysFile: string
  readonly clock: Clock
  /** The address of no owner. */
  readonly email: string
}): Promise<readonly Finding[]> {
  const ring = createKeyRing({ keyFile: keysFile, instanceId: storage.instanceId, clock })
  // The check of the keys says why.
  if (ring.isErr()) return []
  const crypto = createNodeCrypto({ ring: ring.value })
  const { findAccount } = createAccounts({ ports: { ...storage, ...crypto, clock } })
  const found = await findAccount({ email })
  await crypto.close()
  if (found.isErr())
    return found.error.code === 'account_not_found' ? [] : [unchecked(check, 'the accounts cannot be read')]
  if (found.value.disabledAtMicros !== undefined) return []
  const text = `${email} stands for its owner's address, which gets no mails: sotto account rename --email ${email} --to ann@example.org`
  return [{ check, ok: undefined, text }]
}
