import {
  textColumns,
  type Ciphertext,
  type StoredText,
  type StoredWrappedKey,
  type TextColumn,
} from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import fc from 'fast-check'
import { ok, okAsync, ResultAsync } from 'neverthrow'
import { kids } from '../stores/harness.ts'
import { longAgoMicros } from '../stores/rows.ts'
import { step, type Compared } from '../stores/steps.ts'
import { aCiphertext, aLimit, nobody, perhaps } from '../stores/values.ts'
import { aKid } from './full-steps.ts'

/** More rows than a history has of one kind. */
const rowsMax = 500

/** The number of a row among those that there are. */
const nth = fc.nat(rowsMax)

function nthOf<Row>(rows: readonly Row[], at: number | undefined): Row | undefined {
  return at === undefined ? undefined : rows[at % rows.length]
}

const aColumn = fc.constantFrom(...textColumns)

/** The columns by whose text a row is found. */
const indexed: readonly TextColumn[] = ['account.name', 'identity.name']

function textsIn({ rewraps }: FullStorage, column: TextColumn) {
  return rewraps.texts(column, kids.unknown, undefined, rowsMax)
}

function secretsIn({ rewraps }: FullStorage) {
  return rewraps.secrets(kids.unknown, undefined, rowsMax)
}

const page = { kid: aKid, after: perhaps(nth), limit: aLimit }

/** How what is given differs from what was read; half of it does not. */
function aChange<Change extends string>(...changes: readonly Change[]) {
  return fc.option(fc.constantFrom(...changes), { nil: 'none' as const, freq: 2 })
}

const textChange = aChange('bytes', 'length', 'kid', 'id')

function changedText({ place, encrypted }: StoredText, change: string): StoredText {
  const { kid, ciphertext } = encrypted
  const others: Readonly<Record<string, Ciphertext>> = {
    bytes: otherBytes(ciphertext),
    length: ciphertext.slice(0, -1) as Ciphertext,
  }
  return {
    place: change === 'id' ? { ...place, rowId: nobody } : place,
    encrypted: { kid: change === 'kid' ? kids.unknown : kid, ciphertext: others[change] ?? ciphertext },
  }
}

const secretChange = aChange('head', 'wrappedKey', 'note', 'id')

/** `note`: one that was destroyed was there, or the other way round. */
function changedSecret({ secret, wrappedKey }: StoredWrappedKey, change: string): StoredWrappedKey {
  const { id, headCiphertext } = secret
  const others: Readonly<Record<string, Ciphertext | undefined>> = {
    wrappedKey: wrappedKey && otherBytes(wrappedKey),
    note: wrappedKey === undefined ? headCiphertext : undefined,
  }
  return {
    secret: {
      ...secret,
      id: change === 'id' ? nobody : id,
      headCiphertext: change === 'head' ? otherBytes(headCiphertext) : headCiphertext,
    },
    wrappedKey: change in others ? others[change] : wrappedKey,
  }
}

/** Only the last byte differs. */
function otherBytes(ciphertext: Ciphertext): Ciphertext {
  return ciphertext.with(-1, (ciphertext.at(-1) ?? 0) ^ 1) as Ciphertext
}

/** What is tried on the store of rewraps. */
export const rewrapSteps = {
  texts: step(
    'rewraps',
    'rewraps.texts',
    fc.record({ column: aColumn, ...page }),
    (storage, { column, kid, after, limit }) =>
      textsIn(storage, column).andThen((all) =>
        storage.rewraps.texts(column, kid, nthOf(all, after)?.place.rowId, limit),
      ),
  ),
  replaceText: step(
    'rewraps',
    'rewraps.replaceText',
    fc.record({
      ...{ column: aColumn, nth, change: textChange, kid: aKid, ciphertext: aCiphertext },
      hasIndex: fc.boolean(),
      index: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    }),
    (storage, { column, nth: at, change, kid, ciphertext, hasIndex, index }) =>
      textsIn(storage, column)
        .andThen((all) => {
          const read = nthOf(all, at)
          if (read === undefined) return okAsync(undefined)
          const given = hasIndex && indexed.includes(column) ? index : undefined
          return storage.rewraps.replaceText(changedText(read, change), { kid, ciphertext }, given)
        })
        .andThen((replaced) =>
          ResultAsync.combine([storage.accounts.findByName([index]), storage.identities.find([index])]).map(
            (found) => ({ replaced, found }),
          ),
        ),
  ),
  secrets: step('rewraps', 'rewraps.secrets', fc.record(page), (storage, { kid, after, limit }) =>
    secretsIn(storage).andThen((all) => storage.rewraps.secrets(kid, nthOf(all, after)?.secret.id, limit)),
  ),
  replaceSecret: step(
    'rewraps',
    'rewraps.replaceSecret',
    fc.record({ nth, change: secretChange, kid: aKid, headCiphertext: aCiphertext, wrappedKey: aCiphertext }),
    (storage, { nth: at, change, kid, headCiphertext, wrappedKey }) =>
      secretsIn(storage).andThen((all) => {
        const read = nthOf(all, at)
        if (read === undefined) return okAsync(undefined)
        const from = changedSecret(read, change)
        const to = { kid, headCiphertext, wrappedKey: from.wrappedKey && wrappedKey }
        return storage.rewraps.replaceSecret(from, to)
      }),
  ),
}

/** Opens a link for the last time. */
export const destroyStep = step('links', 'links.update', fc.record({ nth }), (storage, { nth: at }) =>
  secretsIn(storage).andThen((all) => {
    const lookup = nthOf(all, at)?.secret.link?.lookup
    if (lookup === undefined) return okAsync(undefined)
    return storage.links.update(lookup, undefined, () => ok({ opens: 4, destroyNote: true }))
  }),
)

const erasable = fc.constantFrom(
  ...(['access_token.name', 'account.password', 'account.display_name', 'session.name'] as const),
  ...(['request.content', 'identity.name', 'passkey.name'] as const),
)

/** What is tried on the store that erases what does not decrypt. */
export const corruptionSteps = {
  eraseText: step(
    'corruption',
    'corruption.eraseText',
    fc.record({ column: erasable, nth, change: textChange }),
    (storage, { column, nth: at, change }) =>
      textsIn(storage, column).andThen((all) => {
        const read = nthOf(all, at)
        if (read === undefined) return okAsync(undefined)
        const { place, encrypted } = changedText(read, change)
        return storage.corruption.eraseText(column, place.rowId, encrypted)
      }),
  ),
  eraseSecret: step(
    'corruption',
    'corruption.eraseSecret',
    fc.record({ nth, change: secretChange, note: fc.constantFrom('none', 'read', 'other') }),
    (storage, { nth: at, change, note }) =>
      secretsIn(storage).andThen((all) => {
        const read = nthOf(all, at)
        if (read === undefined) return okAsync(undefined)
        return noteOf(storage, read).andThen((stored) => {
          const notes: Readonly<Record<string, Ciphertext | undefined>> = {
            read: stored,
            other: otherBytes(stored ?? read.secret.headCiphertext),
          }
          return storage.corruption.eraseSecret(changedSecret(read, change), notes[note])
        })
      }),
  ),
}

function noteOf({ links, drafts }: Compared, { secret: { link, accountId, id } }: StoredWrappedKey) {
  return link === undefined
    ? drafts.find(accountId, id).map((found) => found?.note.note)
    : links
        .findWithNote(link.lookup, { nowMicros: longAgoMicros, evenWithPassword: true })
        .map((found) => found?.note?.note)
}
