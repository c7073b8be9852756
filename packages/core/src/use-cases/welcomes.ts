import { err, ok, type Result } from 'neverthrow'
import type { Account } from '../entities/account.ts'
import { makeOpaqueToken, opaqueTokenRandomBytes, type OpaqueToken } from '../entities/opaque-token.ts'
import { welcomeLifetimeMicros, type WelcomeKind } from '../entities/welcome.ts'
import type { AccountDisabled, StorageError } from '../errors.ts'
import type { Ports } from '../ports/ports.ts'

// What inviting and resetting have in common.

export type MakeWelcomeDeps = Pick<Ports, 'welcomes' | 'passwords' | 'digests' | 'clock' | 'random'>

/** A one-time link that was just made. Its token cannot be read again. */
export interface NewWelcome {
  readonly account: Account
  readonly kind: WelcomeKind
  readonly token: OpaqueToken
  readonly expiresAtMicros: number
  /** Whether the account has a password, which the link replaces. An invitation that does so revokes the account's access tokens. */
  readonly replacesPassword: boolean
}

/** Makes the one-time link of an account; an older one ends. */
export async function makeWelcome(
  { welcomes, passwords, digests, clock, random }: MakeWelcomeDeps,
  account: Account,
  kind: WelcomeKind,
): Promise<Result<NewWelcome, AccountDisabled | StorageError>> {
  const password = await passwords.find(account.id)
  if (password.isErr()) return err(password.error)
  const replacesPassword = password.value !== undefined
  const createdAtMicros = clock.nowMicros()
  const expiresAtMicros = createdAtMicros + welcomeLifetimeMicros[kind]
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const welcome = { accountId: account.id, kind, createdAtMicros, expiresAtMicros }
  const replaced = await welcomes.replace(welcome, digests.opaqueTokenDigest('welcome', token))
  if (replaced.isOk()) return ok({ account, kind, token, expiresAtMicros, replacesPassword })
  // The account was there when it was looked up, so it was disabled or deleted.
  return err(replaced.error.code === 'account_not_found' ? { code: 'account_disabled' } : replaced.error)
}
