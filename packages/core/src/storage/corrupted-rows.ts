import { err, ok, type Result } from 'neverthrow'
import { accountNameText, type AccountName } from '../accounts/account.ts'
import { dropFile, dropFileNeeds } from '../files/drop-file.ts'
import type { StoredText } from '../keys/key-store.ts'
import { underActiveKey } from '../shared/active-key.ts'
import type { KeyRetired, StorageError } from '../shared/errors.ts'
import { aListOfStrings, anObjectOf, aString, type Guard } from '../shared/inputs.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import { uuidToFind, type Uuid } from '../shared/uuid.ts'
import {
  authenticateRows,
  authenticateRowsNeeds,
  labelInPlaceOfCorrupted,
  type CorruptedData,
  type CorruptedRow,
} from './corruption.ts'

/**
 * Authenticates everything that is encrypted: each text, head, wrapped key and note. Needs no password: the wrapped key of a note with one
 * holds a digest of the note. Ok with the corrupted rows, texts first. Reads all rows, in pages: for a command.
 */
export const findCorruptedRows = useCase({
  needs: authenticateRowsNeeds,
  mayTake: {
    /** Only rows of this account; of all accounts without it. */
    accountId: aString,
  },
  async run(deps, { accountId }) {
    const corrupted: CorruptedRow[] = []
    // eslint-disable-next-line @typescript-eslint/require-await -- collecting needs no wait
    const done = await authenticateRows<never>(deps, async (row) => {
      if (accountId === undefined || row.accountId === accountId) corrupted.push(row)
      return ok()
    })
    return done.map((): readonly CorruptedRow[] => corrupted)
  },
})

/** What was done with the rows that an operator gave up. */
export interface DroppedCorruptedRows {
  readonly dropped: readonly DroppedRow[]
  readonly refused: readonly RefusedRow[]
}

/** A row that was given up. */
export interface DroppedRow extends CorruptedRow {
  /** Whether the row is gone, or only its corrupted text was replaced. */
  readonly outcome: 'erased' | 'replaced'
}

/** A row that was left as it is. */
export interface RefusedRow {
  readonly id: Uuid
  readonly reason: DropRefusal
}

/**
 * Why a row was left as it is: it decrypts, or there is none; the ring lacks its key; it is an account, and the name was not given, or is
 * not the account's; it changed after it was read.
 */
export type DropRefusal = 'not_damaged' | 'key_unknown' | 'name_missing' | 'name_differs' | 'row_changed'

const dropNeeds = [
  ...authenticateRowsNeeds,
  ...dropFileNeeds,
  'corruption.eraseSecret',
  'corruption.eraseText',
  'accounts.findByName',
  'webhooks.erase',
  'rewraps.replaceText',
  'textCipher.encryptText',
  'digests.accountIndexes',
  'keyRing.follow',
] as const

type DropDeps = DepsOf<(typeof dropNeeds)[number]>

/**
 * Gives up corrupted rows. Secrets, drafts, access tokens, webhooks, display names, sessions, requests, identities and passkeys are erased,
 * and files with their contents. A folder stays, with {@link labelInPlaceOfCorrupted} as its label, because its secrets may be sound. An
 * account stays too: its name is encrypted again when `accountName` is the one that its keyed index was made from. Every row is authenticated
 * again right before, and one that decrypts is never touched. Reads all rows, in pages: for a command.
 */
export const dropCorruptedRows = useCase({
  needs: dropNeeds,
  takes: { ids: aListOfStrings },
  mayTake: {
    /** The name of an account whose name is corrupted. Normalised. */
    accountName: anObjectOf({}, { email: aString, externalId: aString }) as Guard<AccountName>,
  },
  async run(deps, { ids, accountName }) {
    const left = new Set(ids.map(uuidToFind))
    const dropped: DroppedRow[] = []
    const refused: RefusedRow[] = []
    const done = await authenticateRows<KeyRetired | StorageError>(deps, async (row, data) => {
      if (!left.delete(row.id)) return ok()
      const outcome =
        row.error.code === 'key_unknown' ? ok('key_unknown' as const) : await dropRow(deps, data, accountName)
      if (outcome.isErr()) return err(outcome.error)
      if (outcome.value === 'erased' || outcome.value === 'replaced') {
        dropped.push({ ...row, outcome: outcome.value })
      } else refused.push({ id: row.id, reason: outcome.value })
      return ok()
    })
    const sound = [...left].map((id) => ({ id, reason: 'not_damaged' as const }))
    return done.map((): DroppedCorruptedRows => ({ dropped, refused: [...refused, ...sound] }))
  },
})

type Outcome = Promise<Result<DroppedRow['outcome'] | DropRefusal, KeyRetired | StorageError>>

async function dropRow(deps: DropDeps, data: CorruptedData, accountName: AccountName | undefined): Outcome {
  if ('stored' in data) return erasedOr(await deps.corruption.eraseSecret(data.stored, data.note))
  const { place, encrypted } = data.text
  switch (place.column) {
    case 'access_token.name':
    case 'account.password':
    case 'account.display_name':
    case 'session.name':
    case 'request.content':
    case 'identity.name':
    case 'passkey.name':
      return erasedOr(await deps.corruption.eraseText(place.column, place.rowId, encrypted))
    case 'webhook.endpoint':
      // Only rotation changes an endpoint, and leaves a corrupted one as it is.
      return erasedOr(await deps.webhooks.erase(place.accountId, place.rowId))
    case 'file.about':
      // Rotation leaves a corrupted text of a file as it is, too.
      return erasedOr(await dropFile(deps, place.rowId))
    case 'folder.label':
      return replaceText(deps, data.text, labelInPlaceOfCorrupted)
    case 'account.name':
      return renewName(deps, data.text, accountName)
  }
}

function erasedOr(
  erased: Result<boolean, StorageError>,
): Result<DroppedRow['outcome'] | DropRefusal, StorageError> {
  return erased.map((isErased) => (isErased ? 'erased' : 'row_changed'))
}

async function renewName(deps: DropDeps, stored: StoredText, accountName: AccountName | undefined): Outcome {
  if (accountName === undefined) return ok('name_missing')
  const name = accountNameText(accountName)
  const found = await deps.accounts.findByName(deps.digests.accountIndexes(name))
  if (found.isErr()) return err(found.error)
  return found.value?.id === stored.place.rowId ? replaceText(deps, stored, name) : ok('name_differs')
}

async function replaceText(
  { textCipher, rewraps, keyRing, digests }: DropDeps,
  stored: StoredText,
  text: string,
): Outcome {
  const { place } = stored
  const replaced = await underActiveKey(keyRing, () => {
    const nameIndex = place.column === 'account.name' ? digests.accountIndexes(text)[0] : undefined
    return rewraps.replaceText(stored, textCipher.encryptText(place, text), nameIndex)
  })
  return replaced.map((isReplaced) => (isReplaced ? 'replaced' : 'row_changed'))
}
