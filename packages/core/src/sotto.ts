import type { ResultAsync } from 'neverthrow'
import { defaultPolicy, type Policy } from './policy.ts'
import type { Ports } from './ports/ports.ts'
import { createFiles } from './slices/files.ts'
import { createFolders } from './slices/folders.ts'
import { createIdentity } from './slices/identity.ts'
import { createNotify } from './slices/notify.ts'
import { createRequests } from './slices/requests.ts'
import { createSecrets } from './slices/secrets.ts'
import { createUpkeep } from './slices/upkeep.ts'
import type { Pages } from './use-cases/pages.ts'

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
    ...createIdentity({ ports, policy }),
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
