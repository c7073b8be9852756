import type { FullOpenStorage, FullStorage } from '@sotto/identity'
import assert from 'node:assert/strict'
import { withUnit } from '../contract/contract.ts'
import type { StorageCase } from './harness.ts'

/**
 * A case that fails while the adapter lacks stores that a contract needs, and with them most of its cases are skipped.
 * @param store whose contract it is
 * @param needed the stores that share its database, because its methods see or change their rows, or theirs its own. A folder store that
 * does not see the secrets would erase a folder that holds one.
 */
export function neededStoresCase(
  port: string,
  store: keyof FullOpenStorage,
  needed: readonly (keyof FullStorage)[],
): StorageCase {
  return {
    id: `${port}/has-the-stores-it-needs`,
    rule: `An adapter with ${listOf([store])} has ${listOf(needed)} too, on the same database, and supports together.`,
    run: (harness) =>
      withUnit(harness, ({ fromMemory = [] }) => {
        const lacking = needed.filter((name) => fromMemory.includes(name))
        assert.ok(lacking.length === 0, `these are memory stores: ${listOf(lacking)}`)
        const isTogether = harness.supports.includes('together')
        assert.ok(isTogether, 'without together the cases that see the rows of several stores are skipped')
      }),
  }
}

/** Names in words. */
function listOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``)
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter((part) => part !== '').join(' and ')
}

/** Every store but some. */
export function allBut(...names: readonly (keyof FullStorage)[]): readonly (keyof FullStorage)[] {
  return stores.filter((name) => !names.includes(name))
}

/** The stores of which others see rows. */
const stores = Object.keys({
  accounts: true,
  keys: true,
  folders: true,
  secrets: true,
  drafts: true,
  links: true,
  secretFiles: true,
  requests: true,
  outbox: true,
  deliveries: true,
  webhooks: true,
  accessTokens: true,
  passwords: true,
  identities: true,
  passkeys: true,
  sessions: true,
  invitations: true,
  emailChanges: true,
  signIns: true,
  idempotencyKeys: true,
  rewraps: true,
  corruption: true,
} satisfies Record<
  Exclude<keyof FullStorage, 'servers' | 'usedTokens'>,
  true
>) as readonly (keyof FullStorage)[]
