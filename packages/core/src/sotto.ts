import type { ResultAsync } from 'neverthrow'
import { defaultPolicy, type Policy } from './policy.ts'
import type { Ports } from './storage/ports.ts'
import { createFiles } from './files/use-cases.ts'
import { createFolders } from './folders/slice.ts'
import { createAccounts } from './accounts/use-cases.ts'
import { createNotify } from './notifications/use-cases.ts'
import { createRequests } from './requests/slice.ts'
import { createSecrets } from './secrets/slice.ts'
import { createUpkeep } from './storage/slice.ts'
import type { Pages } from './shared/pages.ts'

/** What `createSotto` binds the use-cases to. */
export interface SottoOptions {
  /** The adapters. */
  readonly ports: Ports
  /** The bounds that this installation sets; `defaultPolicy` by default. */
  readonly policy?: Policy | undefined
}

/** All use-cases, bound to ports and policy. Each takes the input of the function of its name. */
export type Sotto = ReturnType<typeof createSotto>

/**
 * Binds every use-case to the same ports and policy. A program that needs only some of them takes a slice, which asks for fewer methods.
 * Throws a TypeError when a method of a port is missing, or the policy is not valid.
 */
export function createSotto({ ports, policy = defaultPolicy }: SottoOptions) {
  return {
    policy,
    ...createSecrets({ ports, policy }),
    ...createFolders({ ports, policy }),
    ...createRequests({ ports, policy }),
    ...createFiles({ ports, policy }),
    ...createAccounts({ ports, policy }),
    ...createNotify({ ports }),
    ...createUpkeep({ ports }),
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
