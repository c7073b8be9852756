import type { OwnerEvent } from '@sotto/core'
import { like } from './compare.ts'

/**
 * What the rules remember of an installation: no more than tells what may be answered. How it is answered, and what a list shows besides, is
 * compared between the storages.
 */
export interface Book {
  readonly now: () => number
  /** Once it was, every lock and every window of the quota is as the answers say. */
  clockWasSetBack: boolean
  /** Whether the erasure of an account has begun that a sweep has to finish. */
  isErasing: boolean
  readonly accounts: Map<string, Account>
  readonly folders: Map<string, Folder>
  readonly secrets: Map<string, Secret>
  readonly requests: Map<string, Asked>
  readonly accessTokens: Map<string, Token>
  readonly sessions: Map<string, Session>
  readonly webhooks: Map<string, Row>
  /** Every token that was ever given out. */
  readonly given: Record<'link' | 'request' | 'access' | 'session' | 'invitation', string[]>
  claims: readonly Claim[]
  /** What waits to be told to owners, as a text of {@link tell}, and when it happened. */
  events: readonly (readonly [text: string, atMicros: number])[]
  /** When wrong passwords were given, or answers, by the name of what they are counted for. */
  readonly wrong: Map<string, number[]>
  readonly quota: Map<string, readonly { readonly startedAt: number; count: number }[]>
  readonly keys: { ring: number[]; active: number }
  /** Makes the rows that a call has added without naming them, once their ids are known. */
  unnamed: readonly Unnamed[]
}

/** A row, found by its id, of an account. */
export interface Row {
  readonly id: string
  readonly accountId: string
}

export interface Account {
  readonly id: string
  email?: string | undefined
  externalId?: string | undefined
  disabledAtMicros?: number | undefined
  language?: string | undefined
  mails?: { readonly enabled: boolean; readonly nameLabels: boolean }
  notifies?: boolean
  displayName?: string | undefined
  password?: string | undefined
  invitation?: { readonly token: string; readonly kind: string; readonly expiresAtMicros: number } | undefined
  /** The addresses it was signed in to from, with the key that the address was stored under. */
  known: readonly { readonly address: string; readonly at: number; readonly kid: number }[]
}

interface Folder extends Row {
  label: string
}

/** A draft, until it has a link. */
export interface Secret extends Row {
  folderId: string
  label: string
  note: string
  openLimit: number | undefined
  notify: boolean
  password: string | undefined
  link?: { readonly token: string; readonly createdAtMicros: number }
  expiresAtMicros?: number
  opens: number
  news: number
  readonly forms: Set<string>
  wrongAt: number[]
  wrongTotal: number
  /** The version that it has, if it was read with it. */
  version?: string | undefined
  /** A version that it had. */
  oldVersion?: string | undefined
}

/** What an owner asks strangers for. */
interface Asked extends Row {
  readonly folderId: string
  readonly title: string
  readonly answersAllowed: number
  answers: number
  readonly closesAtMicros: number
  closedAtMicros?: number
  readonly notify: boolean
  readonly token: string
  /** When the forms have answered. */
  readonly forms: Map<string, number>
}

export interface Token extends Row {
  readonly token: string
  readonly scopes: readonly string[]
  readonly expiresAtMicros: number | undefined
  revokedAtMicros: number | undefined
  lastUsedAtMicros?: number
}

export interface Session extends Row {
  readonly token: string
  readonly createdAtMicros: number
  reauthenticatedAtMicros: number
  lastUsedAtMicros: number
  name?: string
}

/** An idempotency key that was used. */
interface Claim {
  readonly accountId: string
  readonly key: string
  readonly request: string
  readonly secretId: string
  readonly at: number
  /** The keys of the ring at that time. */
  readonly kids: readonly number[]
}

interface Unnamed {
  readonly list: 'drafts' | 'folders'
  readonly accountId: string
  readonly add: (id: string) => void
}

export function newBook(now: () => number): Book {
  return {
    ...{ now, clockWasSetBack: false, isErasing: false },
    ...{ accounts: new Map(), folders: new Map(), secrets: new Map(), requests: new Map() },
    ...{ accessTokens: new Map(), sessions: new Map(), webhooks: new Map() },
    given: { link: [], request: [], access: [], session: [], invitation: [] },
    ...{ claims: [], events: [], unnamed: [], wrong: new Map(), quota: new Map() },
    keys: { ring: [1], active: 1 },
  }
}

export const second = 1_000_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** The tables of what accounts have. */
export const tables = ['folders', 'secrets', 'requests', 'accessTokens', 'sessions', 'webhooks'] as const

/** The row that the account has under the id, however that is written. */
export function own<R extends Row>(
  rows: ReadonlyMap<string, R>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): R | undefined {
  const row = rows.get(id.toLowerCase())
  return row?.accountId === accountId ? row : undefined
}

export function rowsOf<R extends Row>(rows: ReadonlyMap<string, R>, accountId: string): readonly R[] {
  return [...rows.values()].filter((row) => row.accountId === accountId)
}

export function withToken<R extends { readonly token: string }>(
  rows: ReadonlyMap<string, R>,
  token: string,
): R | undefined {
  return rows.values().find((row) => row.token === token)
}

/** An account is gone, with all that it has. */
export function forget(book: Book, accountId: string): void {
  book.accounts.delete(accountId)
  for (const table of tables) for (const { id } of rowsOf<Row>(book[table], accountId)) book[table].delete(id)
  book.claims = book.claims.filter((claim) => claim.accountId !== accountId)
}

/** So many within a window lock for a time. */
interface Limits {
  readonly wrong: number
  readonly window: number
  readonly lock: number
  /** Whether the time is counted from the first of them, and not from the last. */
  readonly fromFirst?: boolean
}

/** 5 wrong passwords within 10 minutes lock a link for 30 minutes; 100 in all disable it. */
export const linkLimits: Limits = { wrong: 5, window: 10 * minute, lock: 30 * minute }
export const wrongToDisable = 100
/** 5 failures in 10 minutes lock an account for 15 minutes. */
export const accountLimits: Limits = { wrong: 5, window: 10 * minute, lock: 15 * minute }
/** An address has 20 failures, or answers, an hour. */
export const addressLimits: Limits = { wrong: 20, window: hour, lock: hour, fromFirst: true }

/** The codes of what is refused for a time. */
const locks: readonly string[] = ['link_locked', 'draft_locked', 'sign_in_locked', 'too_many_answers']

/** An answer that may say that something is locked. */
interface Refusal {
  readonly code: string
  readonly retryAfterSeconds?: number | undefined
}

/** Whether those before lock the next attempt. Its answer, where there is one, then says for how long. */
export function isLocked(
  { now, clockWasSetBack }: Book,
  wrongAt: readonly number[],
  { wrong, window, lock, fromFirst = false }: Limits,
  answer?: Refusal,
): boolean {
  if (clockWasSetBack) return answer !== undefined && locks.includes(answer.code)
  const [first = 0] = wrongAt.slice(-wrong)
  const last = wrongAt.at(-1) ?? 0
  const wait = (fromFirst ? first : last) + lock - now()
  const locked = wrongAt.length >= wrong && first > last - window && wait > 0
  if (locked && answer !== undefined) like('the wait', answer.retryAfterSeconds, Math.ceil(wait / second))
  return locked
}

/** How many answers a request still takes. */
export function answersLeft(
  { answers, answersAllowed, closedAtMicros, closesAtMicros }: Asked,
  now: number,
): number {
  return closedAtMicros === undefined && closesAtMicros > now ? answersAllowed - answers : 0
}

/** The owner of a secret or request with `notify` is to hear of something. @param count how often it was opened or answered */
export function tell(
  book: Book,
  { accountId, id, notify }: Row & { readonly notify: boolean },
  type: string,
  [count, atMicros]: readonly [count: number, atMicros: number],
): void {
  if (notify) book.events = [...book.events, [`${accountId} ${type} ${id} ${count}`, atMicros]]
}

/** Makes the text of {@link tell} for an event as it is stored. */
export function textOf(event: OwnerEvent): string {
  const [id, count] = 'requestId' in event ? [event.requestId, event.answers] : [event.secretId, event.opens]
  return `${event.accountId} ${event.type} ${id} ${count}`
}
