import {
  uuidToFind,
  type Uuid,
  type FieldsInvalid,
  type KeyRetired,
  type StorageError,
  type TextCipher,
} from '@sotto/core'
import { type KeyRing, shortNameError, underActiveKey, foundOr } from '@sotto/core/building-blocks'
import { err, ResultAsync, type Result } from 'neverthrow'
import type { SessionNotFound } from './errors.ts'
import type { SessionStore } from './session-store.ts'

export interface NameSessionDeps {
  readonly sessions: Pick<SessionStore, 'rename'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
}
export interface NameSessionInput {
  readonly accountId: Uuid
  readonly id: string
  /** 1 to 60 code points, nothing that people do not see. */
  readonly name: string
}
export type NameSessionError = FieldsInvalid | SessionNotFound | KeyRetired | StorageError

/**
 * Gives a session a name, by which its owner tells it from the others.
 * @errors `fields_invalid`; `session_not_found`, the same for an unknown, malformed or another account's id
 */
export function nameSession(
  deps: NameSessionDeps,
  input: NameSessionInput,
): ResultAsync<void, NameSessionError> {
  return new ResultAsync(rename(deps, input))
}

async function rename(
  { sessions, textCipher, keyRing }: NameSessionDeps,
  input: NameSessionInput,
): Promise<Result<void, NameSessionError>> {
  const { accountId, id } = input
  const name = input.name.trim()
  const broken = shortNameError(name)
  if (broken !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'name', ...broken }] })
  const place = { column: 'session.name', accountId, rowId: uuidToFind(id) } as const
  const found = await underActiveKey(keyRing, () =>
    sessions.rename(accountId, place.rowId, textCipher.encryptText(place, name)),
  )
  return found.andThen(foundOr('session_not_found'))
}
