import { err, ResultAsync, type Result } from 'neverthrow'
import type { Draft } from '../entities/secret.ts'
import type { PortMethods } from '../ports/ports.ts'
import { checkNewSecret, type CheckNewSecretDeps } from './check-new-secret.ts'
import {
  insertSecret,
  type InsertSecretDeps,
  type InsertSecretError,
  type InsertSecretInput,
} from './insert-secret.ts'

export type SaveDraftDeps = InsertSecretDeps & CheckNewSecretDeps & PortMethods<{ secrets: 'insert' }>
export type SaveDraftInput = InsertSecretInput
export type SaveDraftError = InsertSecretError

/**
 * Stores a secret without a link: nobody can open it until it is shared.
 * @errors as `createSecret`
 */
export function saveDraft(deps: SaveDraftDeps, input: SaveDraftInput): ResultAsync<Draft, SaveDraftError> {
  return new ResultAsync(save(deps, input))
}

async function save(deps: SaveDraftDeps, input: SaveDraftInput): Promise<Result<Draft, SaveDraftError>> {
  const checked = await checkNewSecret(deps, input)
  if (checked.isErr()) return err(checked.error)
  const nowMicros = deps.clock.nowMicros()
  return insertSecret<never>(deps, input, {
    nowMicros,
    link: undefined,
    insert: (...row) => deps.secrets.insert(...row),
  })
}
