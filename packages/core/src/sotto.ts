import type { ResultAsync } from 'neverthrow'
import { defaultPolicy, type Policy } from './policy.ts'
import type { Ports } from './storage/ports.ts'
import { createFiles } from './files/slice.ts'
import { createFolders } from './folders/slice.ts'
import { createAccounts } from './accounts/slice.ts'
import { createNotify } from './notifications/slice.ts'
import { createRequests } from './requests/slice.ts'
import { createSecrets } from './secrets/slice.ts'
import { createUpkeep } from './storage/slice.ts'
import type { Pages } from './shared/pages.ts'

type Slice<Create extends (options: never) => unknown> = ReturnType<Create>

/** What `createSotto` binds the use-cases to. */
export interface SottoOptions {
  /** The adapters. */
  readonly ports: Ports
  /** The bounds that this installation sets; `defaultPolicy` by default. */
  readonly policy?: Policy | undefined
  /**
   * Whether each call checks that its input has the names and types that it should have; true by default. A program whose callers are
   * all compiled against these types needs no such check.
   */
  readonly checksInputs?: boolean | undefined
}

/** All use-cases, bound to ports and policy. */
export interface Sotto
  extends
    Slice<typeof createSecrets>,
    Slice<typeof createFolders>,
    Slice<typeof createRequests>,
    Slice<typeof createFiles>,
    Slice<typeof createAccounts>,
    Slice<typeof createNotify>,
    Slice<typeof createUpkeep> {
  readonly policy: Policy
}

/**
 * Binds every use-case to the same ports and policy. A program that needs only some of them takes a slice, which asks for fewer methods.
 * Throws a TypeError when a method of a port is missing, or the policy is not valid.
 */
export function createSotto({ ports, policy = defaultPolicy, checksInputs }: SottoOptions): Sotto {
  const options = { ports, policy, checksInputs }
  return {
    policy,
    ...createSecrets(options),
    ...createFolders(options),
    ...createRequests(options),
    ...createFiles(options),
    ...createAccounts(options),
    ...createNotify(options),
    ...createUpkeep(options),
  }
}

/** The errors that a use-case can return, whether it returns a result or pages. */
export type ErrorOf<UseCase> = UseCase extends (...input: never[]) => ResultAsync<unknown, infer E>
  ? E
  : UseCase extends (...input: never[]) => Pages<unknown, infer E>
    ? E
    : never

/** Every error that a use-case can return. */
export type SottoError = ErrorOf<Sotto[keyof Sotto]>

/** The `code` of every error that a use-case can return. */
export type SottoErrorCode = SottoError['code']
