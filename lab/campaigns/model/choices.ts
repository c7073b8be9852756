import fc from 'fast-check'
import { answersLeft, tables, type Book, type Row } from './book.ts'
import { isFinished } from './rules/secrets.ts'
import { isSessionAlive, isTokenUsable } from './rules/sign-in.ts'

// What the inputs of calls are chosen from.

/** Something that is known only when the call is made: chosen from what there is, and from the fields before it. */
export class Later<T> {
  readonly choose: (book: Book, input: Readonly<Record<string, unknown>>) => T

  constructor(choose: Later<T>['choose']) {
    this.choose = choose
  }
}

/** A value that breaks a rule of its field by itself. */
export class Faulty<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }
}

/** What may stand for a value of a field until the call is made. */
export type Chosen<T> = T | Later<T> | Faulty<T> | { readonly [Member in keyof T]: Chosen<T[Member]> }

/** Usually a value that is allowed. */
export function mostly<T>(allowed: readonly T[], refused: readonly T[]): fc.Arbitrary<T | Faulty<T>> {
  return fc.oneof(
    { arbitrary: fc.constantFrom<T[]>(...allowed), weight: 15 },
    { arbitrary: fc.constantFrom<T[]>(...refused).map((value) => new Faulty(value)), weight: 1 },
  )
}

/** Chooses one of a list that is known only when the call is made. */
export const pick = fc.noBias(fc.nat({ max: 9_999 }))

export function later<T>(
  choose: (nr: number, ...given: Parameters<Later<T>['choose']>) => T,
): fc.Arbitrary<Later<T>> {
  return pick.map((nr) => new Later((book, input) => choose(nr, book, input)))
}

function picked<T>(list: Iterable<T>, nr: number): T | undefined {
  const all = [...list]
  return all[nr % all.length]
}

/** An id that nothing has. */
const nobody = '01890000-0000-7000-8000-000000000000'
const unknownToken = 'A'.repeat(43)

/** An account, or one time in 20 none. */
export const anAccount = later((nr, { accounts }) =>
  nr % 20 === 19 ? nobody : (picked(accounts.keys(), nr) ?? nobody),
)

/** The id of a row; one time in ten an unknown, a malformed, or the same in capitals. */
function idOf<R extends Row>(
  rows: (book: Book) => ReadonlyMap<string, R>,
  rather: (row: R, book: Book) => boolean = () => true,
) {
  return later((nr, book) => {
    const all = [...rows(book).values()]
    const some = all.filter((row) => rather(row, book))
    const id = picked(some.length > 0 && nr % 8 !== 7 ? some : all, Math.floor(nr / 30))?.id
    if (id === undefined || nr % 30 === 29) return nobody
    if (nr % 30 === 28) return 'not-an-id'
    return nr % 30 === 27 ? id.toUpperCase() : id
  })
}

/** The account that has what a field names; one time in ten another one. */
export const ownerOf = (field: string, allowsOthers = true) =>
  later((nr, book, input) => {
    const id = String(input[field]).toLowerCase()
    const owner = tables.map((table): Row | undefined => book[table].get(id)).find((row) => row !== undefined)
    const isOther = owner === undefined || (allowsOthers && nr % 10 === 9)
    return isOther ? (picked(book.accounts.keys(), Math.floor(nr / 10)) ?? nobody) : owner.accountId
  })

/** A row, and the account that it belongs to. */
export function of<R extends Row>(
  rows: (book: Book) => ReadonlyMap<string, R>,
  rather?: (row: R, book: Book) => boolean,
) {
  return { id: idOf(rows, rather), accountId: ownerOf('id') }
}

/** A folder, and its account. */
export const place = { folderId: idOf(({ folders }) => folders), accountId: ownerOf('folderId') }

/** A folder of the account that was chosen. */
export const ownFolder = later((nr, { folders }, { accountId }) => {
  const folder = picked(
    [...folders.values()].filter((each) => each.accountId === accountId),
    Math.floor(nr / 9),
  )
  return nr % 20 === 19 ? nobody : (folder?.id ?? nobody)
})

/** A token that was given out at some time, rather one that still does something; one time in 25 one that never was. */
export function tokenOf(kind: keyof Book['given'], unknown = unknownToken) {
  return later((nr, book) => {
    if (nr % 25 === 24) return nr % 2 === 0 ? unknown : 'malformed'
    // What an account had that is half erased must be gone.
    const live = nr % 4 === 0 || book.isErasing ? [] : liveTokens(book, kind)
    return picked(live.length > 0 ? live : book.given[kind], Math.floor(nr / 4)) ?? unknown
  })
}

function liveTokens(book: Book, kind: keyof Book['given']): string[] {
  const { secrets, requests, accessTokens, sessions, given } = book
  const now = book.now()
  const tokens = (rows: readonly { readonly token: string }[]) => rows.map(({ token }) => token)
  const links = [...secrets.values()].flatMap((secret) => {
    const { link, expiresAtMicros = 0 } = secret
    return link && expiresAtMicros > now && !isFinished(secret) ? [link.token] : []
  })
  return {
    link: links,
    request: tokens([...requests.values()].filter((each) => answersLeft(each, now) > 0)),
    access: tokens([...accessTokens.values()].filter((each) => isTokenUsable(each, now))),
    session: tokens([...sessions.values()].filter((each) => isSessionAlive(each, now))),
    invitation: given.invitation.slice(-1),
  }[kind]
}

/** One of the rows. A call that needs one, where there is none, is left out. */
export function one<R>(rows: Iterable<R>, nr: number): R {
  const row = picked(rows, nr)
  if (row === undefined) throw new Nothing()
  return row
}

export class Nothing extends Error {}
