import { uuidToFind } from '@sotto/core'
import {
  aString,
  account,
  accountAndId,
  creationOf,
  foundOr,
  invalid,
  pages,
  pagesOf,
  shortNameError,
  underActiveKey,
} from '@sotto/core/building-blocks'
import { ok, type Result } from 'neverthrow'
import { listCase, useCase } from '../use-case.ts'
import { sessionNotFound } from './errors.ts'
import { isSessionAlive, type NamedSession } from './session.ts'
import type { StoredSession } from './session-store.ts'

/**
 * The account's sessions that are not over, by creation and id. Never their tokens. A name that does not decrypt is left out, because the
 * session can be used all the same: `findCorruptedRows` names it.
 */
export const listSessions = listCase({
  needs: ['sessions.page', 'textCipher.decryptText', 'clock.nowMicros'],
  takes: account,
  mayTake: pages,
  async *run({ sessions, textCipher, clock }, { accountId, after: first, pageSize }) {
    const nowMicros = clock.nowMicros()
    const all = pagesOf({
      after: first,
      pageSize,
      read: (after, limit) => sessions.page(accountId, after, limit),
      cursorOf: creationOf,
      show: (session: StoredSession): Result<StoredSession, never> => ok(session),
    })
    const show = ({ accountId: _, name, ...session }: StoredSession): NamedSession => {
      const place = { column: 'session.name', accountId, rowId: session.id } as const
      return { ...session, name: name && textCipher.decryptText(place, name).unwrapOr(undefined) }
    }
    for await (const page of all) {
      yield page.map(({ items, ...rest }) => ({
        ...rest,
        items: items.filter((session) => isSessionAlive(session, nowMicros)).map(show),
      }))
    }
  },
})

/**
 * Gives a session a name, by which its owner tells it from the others.
 * @errors `fields_invalid`; `session_not_found`, the same for an unknown, malformed or another account's id
 */
export const nameSession = useCase({
  needs: ['sessions.rename', 'textCipher.encryptText', 'keyRing.follow'],
  takes: {
    ...accountAndId,
    /** 1 to 60 code points, nothing that people do not see. */
    name: aString,
  },
  async run({ sessions, textCipher, keyRing }, { accountId, id, name: typed }) {
    const name = typed.trim()
    const broken = shortNameError(name)
    if (broken !== undefined) return invalid('name', broken)
    const place = { column: 'session.name', accountId, rowId: uuidToFind(id) } as const
    const found = await underActiveKey(keyRing, () =>
      sessions.rename(accountId, place.rowId, textCipher.encryptText(place, name)),
    )
    return found.andThen(foundOr(sessionNotFound))
  },
})

/**
 * Ends a session: whoever has its token is signed out from now on.
 * @errors `session_not_found`, the same for an unknown, malformed, ended or another account's id
 */
export const endSession = useCase({
  needs: ['sessions.erase'],
  takes: accountAndId,
  async run({ sessions }, { accountId, id }) {
    const erased = await sessions.erase(accountId, uuidToFind(id))
    return erased.andThen(foundOr(sessionNotFound))
  },
})
