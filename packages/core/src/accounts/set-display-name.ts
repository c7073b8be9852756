import { err, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountNotFound } from './errors.ts'
import type { FieldsInvalid, KeyRetired, StorageError } from '../shared/errors.ts'
import type { AccountStore } from './account-store.ts'
import type { KeyRing, TextCipher } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { shortNameError } from '../shared/fields.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { foundOr } from '../shared/found-or.ts'
import { newId } from '../shared/ids.ts'

export interface SetDisplayNameDeps {
  readonly accounts: Pick<AccountStore, 'setDisplayName'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly clock: Clock
  readonly random: Random
}
export interface SetDisplayNameInput {
  readonly accountId: Uuid
  /** 1 to 60 code points, nothing that people do not see; `undefined` erases the name. */
  readonly displayName: string | undefined
}
export type SetDisplayNameError = FieldsInvalid | AccountNotFound | KeyRetired | StorageError

/**
 * Sets the name under which recipients see an account, or erases it. Without one they see none.
 * @errors `fields_invalid`, `account_not_found`
 */
export function setDisplayName(
  deps: SetDisplayNameDeps,
  input: SetDisplayNameInput,
): ResultAsync<void, SetDisplayNameError> {
  return new ResultAsync(set(deps, input))
}

async function set(
  { accounts, textCipher, keyRing, clock, random }: SetDisplayNameDeps,
  { accountId, displayName }: SetDisplayNameInput,
): Promise<Result<void, SetDisplayNameError>> {
  const name = displayName?.trim()
  const broken = name === undefined ? undefined : shortNameError(name)
  if (broken !== undefined)
    return err({ code: 'fields_invalid', errors: [{ field: 'displayName', ...broken }] })
  const id = newId(random, clock.nowMicros())
  const found = await underActiveKey(keyRing, () => {
    const place = { column: 'account.display_name', accountId, rowId: id } as const
    return accounts.setDisplayName(
      accountId,
      name === undefined ? undefined : { id, name: textCipher.encryptText(place, name) },
    )
  })
  return found.andThen(foundOr('account_not_found'))
}
