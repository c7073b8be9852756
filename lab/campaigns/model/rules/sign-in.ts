import {
  accountLimits,
  addressLimits,
  day,
  hour,
  isLocked,
  minute,
  own,
  rowsOf,
  second,
  withToken,
  type Account,
  type Book,
  type Session,
  type Token,
} from '../book.ts'
import { like } from '../compare.ts'
import type { Answer, Name, Rules } from '../rules.ts'
import { addAccount, plainEmail, withEmail } from './accounts.ts'
import { countedFor } from './requests.ts'

type Invited = NonNullable<Account['invitation']>

export function isSessionAlive({ createdAtMicros, lastUsedAtMicros }: Session, now: number): boolean {
  return createdAtMicros + 14 * day > now && lastUsedAtMicros + 12 * hour > now
}

export function isTokenUsable({ revokedAtMicros, expiresAtMicros = Infinity }: Token, now: number): boolean {
  return revokedAtMicros === undefined && expiresAtMicros > now
}

export function signInRules(book: Book): Rules {
  const { accounts, sessions, accessTokens, keys, now } = book

  /** A row of an account that is not disabled. */
  const usable = <R extends { readonly accountId: string }>(row: R | undefined) => {
    const account = accounts.get(row?.accountId ?? '')
    return account !== undefined && account.disabledAtMicros === undefined ? row : undefined
  }

  const isRight = (account: Account | undefined, password: string) =>
    account?.password !== undefined && account.password === password.normalize('NFC')

  const attempt = (names: readonly [string, string], right: boolean, answer: Answer<Name>) => {
    const [one, address] = names.map((name) => countedFor(book, name)) as [number[], number[]]
    const locked =
      isLocked(book, one, accountLimits, answer) || isLocked(book, address, addressLimits, answer)
    if (locked) return 'sign_in_locked'
    if (!right) for (const times of [one, address]) times.push(now())
    return 'ok'
  }

  const begin = (account: Account, address: string, value: { id: string; token: string } | undefined) => {
    const isSame = (each: Account['known'][number]) => each.address === address && each.kid === keys.active
    account.known = [
      ...account.known.filter((each) => !isSame(each)),
      { address, at: now(), kid: keys.active },
    ]
    if (value === undefined) return
    const { id, token } = value
    const times = { createdAtMicros: now(), reauthenticatedAtMicros: now(), lastUsedAtMicros: now() }
    sessions.set(id, { id, accountId: account.id, token, ...times })
    book.given.session.push(token)
  }

  const isKnown = ({ known }: Account, address: string) =>
    known.some(
      (each) => each.address === address && each.at > now() - 90 * day && keys.ring.includes(each.kid),
    )

  const invite = (account: Account, kind: Invited['kind'], token: string) => {
    account.invitation = { token, kind, expiresAtMicros: now() + (kind === 'invite' ? 72 * hour : hour) }
    book.given.invitation.push(token)
  }

  /** The account that can choose a password with this one-time link. */
  const invited = (token: string) => {
    const account = accounts.values().find(({ invitation }) => invitation?.token === token)
    const { invitation, disabledAtMicros } = account ?? {}
    const isUsable = invitation !== undefined && invitation.expiresAtMicros > now()
    return isUsable && disabledAtMicros === undefined ? account : undefined
  }

  const setPassword = (account: Account, password: string, kept?: string) => {
    account.password = password.normalize('NFC')
    account.invitation = undefined
    for (const { id } of rowsOf(sessions, account.id)) if (id !== kept) sessions.delete(id)
  }

  return {
    createAccessToken({ accountId, scopes = ['read', 'write'], expiresInSeconds }, { value }) {
      if (!accounts.has(accountId)) return 'account_not_found'
      if (value === undefined) return 'ok'
      const { id, token } = value
      const expiresAtMicros = expiresInSeconds === undefined ? undefined : now() + expiresInSeconds * second
      const row = { id, accountId, token, scopes: scopes.toSorted(), expiresAtMicros }
      accessTokens.set(id, { ...row, revokedAtMicros: undefined })
      book.given.access.push(token)
      return 'ok'
    },

    authenticate({ token }, { value }) {
      const row = usable(withToken(accessTokens, token))
      if (row === undefined || !isTokenUsable(row, now())) return 'token_invalid'
      if (value !== undefined) like('the caller', value, { accountId: row.accountId, scopes: row.scopes })
      if (isRecorded(row.lastUsedAtMicros, now())) row.lastUsedAtMicros = now()
      return 'ok'
    },

    revokeAccessToken(input) {
      const token = own(accessTokens, input)
      if (token === undefined) return 'access_token_not_found'
      token.revokedAtMicros ??= now()
      return 'ok'
    },

    inviteAccount({ email }, { value }) {
      const found = withEmail(book, email)
      if (found?.disabledAtMicros !== undefined) return 'account_disabled'
      if (value === undefined) return 'ok'
      const { id } = value.account
      invite(found ?? addAccount(book, { id, email: plainEmail(email) }), 'invite', value.token)
      const add = (folderId: string) =>
        book.folders.set(folderId, { id: folderId, accountId: id, label: 'Inbox' })
      if (rowsOf(book.folders, id).length === 0)
        book.unnamed = [...book.unnamed, { list: 'folders', accountId: id, add }]
      return 'ok'
    },

    resetAccount({ email }, { value }) {
      const found = withEmail(book, email)
      if (found === undefined) return 'account_not_found'
      if (found.disabledAtMicros !== undefined) return 'account_disabled'
      if (value !== undefined) invite(found, 'reset', value.token)
      return 'ok'
    },

    previewInvitation({ token }, { value }) {
      const account = invited(token)
      if (account === undefined) return 'welcome_not_found'
      const replacesPassword = account.password !== undefined
      if (value !== undefined) like('the preview', value, { account: { id: account.id }, replacesPassword })
      return 'ok'
    },

    choosePassword({ token, password, address }, { value, isFaulty }) {
      const account = invited(token)
      if (account === undefined) return 'welcome_not_found'
      if (isFaulty) return 'fields_invalid'
      const isReset = account.invitation?.kind === 'reset'
      const wasReplaced = account.password !== undefined
      // Access that somebody else may have got before ends.
      if (!isReset && wasReplaced)
        for (const each of rowsOf(accessTokens, account.id)) each.revokedAtMicros ??= now()
      if (isReset || wasReplaced)
        for (const { id } of rowsOf(book.webhooks, account.id)) book.webhooks.delete(id)
      setPassword(account, password)
      begin(account, address, value)
      return 'ok'
    },

    changePassword({ accountId, sessionId, password }, { code }) {
      const account = accounts.get(accountId)
      if (account === undefined) return code
      setPassword(account, password, sessionId)
      return 'ok'
    },

    signIn({ email, password, address }, answer) {
      const { value } = answer
      const account = withEmail(book, email)
      const right = account?.disabledAtMicros === undefined && isRight(account, password)
      const from = account !== undefined && isKnown(account, address) ? ` from ${address}` : ''
      const attempted = attempt([`account ${plainEmail(email)}${from}`, address], right, answer)
      if (attempted !== 'ok') return attempted
      if (!right || account === undefined) return 'sign_in_wrong'
      begin(account, address, value)
      // The newest 50 stay, the one that has just begun among them.
      const others = rowsOf(sessions, account.id).filter(({ id }) => id !== value?.id)
      const byAge = others.toSorted(
        (one, other) => one.createdAtMicros - other.createdAtMicros || (one.id < other.id ? -1 : 1),
      )
      for (const { id } of byAge.slice(0, -49)) sessions.delete(id)
      return 'ok'
    },

    authenticateSession({ token }, { value }) {
      const session = usable(withToken(sessions, token))
      if (session === undefined || !isSessionAlive(session, now())) return 'session_invalid'
      const { id, accountId } = session
      if (value !== undefined) like('the caller', value, { caller: { accountId }, session: { id } })
      if (isRecorded(session.lastUsedAtMicros, now())) session.lastUsedAtMicros = now()
      return 'ok'
    },

    ensureReauthentication({ accountId, session: { id }, password, address }, answer) {
      const session = sessions.get(id)
      if (session === undefined) return answer.code
      const age = now() - session.reauthenticatedAtMicros
      if (age >= 0 && age < 10 * minute) return 'ok'
      if (password === undefined) return 'proof_required'
      const right = isRight(accounts.get(accountId), password)
      const attempted = attempt([`session ${id}`, address], right, answer)
      if (attempted !== 'ok') return attempted
      if (right) session.reauthenticatedAtMicros = now()
      return right ? 'ok' : 'password_wrong'
    },

    nameSession({ name, ...input }) {
      const session = own(sessions, input)
      if (session === undefined) return 'session_not_found'
      session.name = name.trim()
      return 'ok'
    },

    endSession(input) {
      const session = own(sessions, input)
      if (session === undefined) return 'session_not_found'
      sessions.delete(session.id)
      return 'ok'
    },
  }
}

/** The time of a use is kept to the minute. */
function isRecorded(last: number | undefined, now: number): boolean {
  return last === undefined || Math.abs(now - last) >= minute
}
