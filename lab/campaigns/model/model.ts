/**
 * What an installation holds, as its documents describe it: plain lists, and no code of the service. The rules about them are beside the
 * commands.
 */
export interface Model {
  readonly accounts: Account[]
  /** Ids of deleted accounts whose rows a sweep has still to erase, with how many rows other than secrets and drafts are left. */
  readonly erasing: string[]
  readonly folders: Folder[]
  readonly secrets: Secret[]
  readonly requests: AskedFor[]
  events: Event[]
  readonly quota: Map<string, { minute: Window; day: Window }>
  readonly signIns: Map<string, Attempts & { limits: Limits; eraseAt: number }>
  readonly keys: Keys
  /** Every token of a link, session or one-time link that was ever given out, by a text that names it. */
  readonly sessionTokens: { readonly token: string; readonly accountId: string; readonly id: string }[]
  readonly invitationTokens: { readonly token: string; readonly accountId: string }[]
  readonly accessTokens: { readonly token: string; readonly accountId: string; readonly id: string }[]
}

export interface Account {
  readonly id: string
  email: string | undefined
  externalId: string | undefined
  readonly createdAtMicros: number
  disabledAtMicros: number | undefined
  language: string | undefined
  mails: { enabled: boolean; nameLabels: boolean }
  notifies: boolean
  displayName: Encrypted | undefined
  kid: number
  password: Encrypted | undefined
  invitation: { token: string; kind: 'invite' | 'reset'; expiresAtMicros: number } | undefined
  sessions: Session[]
  known: { address: string; at: number; kid: number }[]
  readonly tokens: Token[]
  readonly webhooks: Webhook[]
  claims: Claim[]
}

/** A text, and the key that it is under. */
export interface Encrypted {
  readonly text: string
  kid: number
}

export interface Session {
  readonly id: string
  name: Encrypted | undefined
  readonly createdAtMicros: number
  reauthenticatedAtMicros: number
  lastUsedAtMicros: number
}

export interface Token {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAtMicros: number
  readonly expiresAtMicros: number | undefined
  revokedAtMicros: number | undefined
  lastUsedAtMicros: number | undefined
  kid: number
}

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly createdAtMicros: number
  kid: number
}

/** An idempotency key that was used. */
export interface Claim {
  readonly key: string
  readonly request: string
  readonly secretId: string
  readonly at: number
  /** The keys of the ring at that time. */
  readonly kids: readonly number[]
}

export interface Folder {
  readonly id: string
  readonly accountId: string
  label: string
  readonly createdAtMicros: number
  kid: number
}

/** A draft, until it has a link. */
export interface Secret {
  readonly id: string
  readonly accountId: string
  folderId: string
  label: string
  note: string
  readonly createdAtMicros: number
  openLimit: number | undefined
  notify: boolean
  password: string | undefined
  kid: number
  /** Grows with each change of a draft. */
  version: number
  link: { readonly createdAtMicros: number; readonly expiresAtMicros: number } | undefined
  opens: number
  openedAtMicros: number[]
  /** What its owner has not looked at: opens, where they are told of, or that it is an answer. */
  news: number
  /** The request that it answers. */
  answersRequest: string | undefined
  hasNote: boolean
  readonly forms: Set<string>
  attempts: Attempts
}

/** What an owner asks strangers for. */
export interface AskedFor {
  readonly id: string
  readonly accountId: string
  readonly folderId: string
  readonly title: string
  readonly text: string
  readonly answersAllowed: number
  answers: number
  readonly createdAtMicros: number
  readonly closesAtMicros: number
  closedAtMicros: number | undefined
  readonly notify: boolean
  readonly token: string
  kid: number
  /** When the forms have answered. */
  readonly forms: Map<string, number>
}

export type Event = {
  readonly type: string
  readonly accountId: string
  readonly folderId: string
  readonly createdAtMicros: number
  readonly expiresAtMicros: number
} & (
  | { readonly secretId: string; readonly opens: number; readonly opensLeft: number | undefined }
  | { readonly requestId: string; readonly answers: number; readonly answersLeft: number }
)

export interface Window {
  startedAtMicros: number
  count: number
}

/** Wrong passwords. */
export interface Attempts {
  wrongAt: number[]
  total: number
  lockedUntil: number | undefined
}

export interface Limits {
  readonly wrong: number
  readonly window: number
  readonly lock: number
  /** Whether a lock is counted from the first of the wrong passwords, and the others count on. */
  readonly fromFirst: boolean
}

export interface Keys {
  ring: number[]
  active: number
  next: number
  stored: { kid: number; createdAtMicros: number }[]
}

export function newModel(nowMicros: number): Model {
  return {
    accounts: [],
    erasing: [],
    folders: [],
    secrets: [],
    requests: [],
    events: [],
    quota: new Map(),
    signIns: new Map(),
    keys: { ring: [1], active: 1, next: 2, stored: [{ kid: 1, createdAtMicros: nowMicros }] },
    sessionTokens: [],
    invitationTokens: [],
    accessTokens: [],
  }
}

export const second = 1_000_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item)
  if (at >= 0) list.splice(at, 1)
}

/** Compares by creation and id. */
export function byCreation(
  one: { readonly createdAtMicros: number; readonly id: string },
  other: { readonly createdAtMicros: number; readonly id: string },
): number {
  return one.createdAtMicros - other.createdAtMicros || (one.id < other.id ? -1 : 1)
}

export function accountOf(model: Model, id: string): Account | undefined {
  return model.accounts.find((account) => account.id === id)
}

/** Whether the owner has not closed it, and an answer is left. */
export function isOpen(request: AskedFor, now: number): boolean {
  const isLeft = request.answers < request.answersAllowed && request.closedAtMicros === undefined
  return isLeft && request.closesAtMicros > now
}

/** Everything that is under a key of the ring. */
export function keyedRows({
  accounts,
  folders,
  secrets,
  requests,
}: Model): { kid: number; version?: number }[] {
  const own = accounts.flatMap((account) => [
    account,
    ...[account.password, account.displayName].filter((each) => each !== undefined),
    ...account.sessions.flatMap(({ name }) => (name === undefined ? [] : [name])),
    ...account.tokens,
    ...account.webhooks,
  ])
  return [...own, ...folders, ...secrets, ...requests]
}
