import type { Uuid, AccountNotFound, StorageError } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import type { DepsOf } from '../use-case.ts'

/** An address is known for 90 days after the latest sign-in from there. */
const knownMicros = 90 * 86_400 * 1_000_000

/** Addresses that are known for one account. */
const knownMax = 20

/** What {@link isKnownAddress} and {@link rememberAddress} need. */
export const knownAddressesNeeds = [
  'signIns.knowsAddress',
  'signIns.rememberAddress',
  'digests.keyedDigests',
  'clock.nowMicros',
] as const

type KnownAddressesDeps = DepsOf<(typeof knownAddressesNeeds)[number]>

/** An address from which somebody signs in to an account. */
export interface AccountAddress {
  readonly accountId: Uuid
  readonly address: string
}

/** Whether somebody has signed in to the account from this address before. */
export function isKnownAddress(
  { signIns, digests, clock }: KnownAddressesDeps,
  known: AccountAddress,
): ResultAsync<boolean, StorageError> {
  const addresses = digests.keyedDigests('known-address', textOf(known))
  return signIns.knowsAddress(known.accountId, addresses, clock.nowMicros() - knownMicros)
}

/** Remembers an address from which somebody has just signed in. */
export function rememberAddress(
  { signIns, digests, clock }: KnownAddressesDeps,
  known: AccountAddress,
): ResultAsync<void, AccountNotFound | StorageError> {
  const [address] = digests.keyedDigests('known-address', textOf(known))
  return signIns.rememberAddress(
    { accountId: known.accountId, address, atMicros: clock.nowMicros() },
    knownMax,
  )
}

function textOf({ accountId, address }: AccountAddress): string {
  return `${accountId}/${address}`
}
