import type { AccountNotFound, KeyRetired, StorageError } from '@sotto/core'
import { expectOk, noonMicros } from '@sotto/test-kit'
import type { ResultAsync } from 'neverthrow'
import { test } from 'tap'
import { open, temporaryDir } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { addFolder } from '../support/rows.ts'

type Step = ResultAsync<unknown, AccountNotFound | KeyRetired | StorageError>

test('the log is emptied after each way to erase sessions and one-time links, and only if there were any', async (t) => {
  const timers = createManualTimers()
  const database = await open(temporaryDir(t), { timers })
  const { make, folder } = await addFolder(database)
  const { sessions, invitations } = database
  const { accountId } = folder
  const spending = () => ({
    ...{ nowMicros: noonMicros, password: make.password(accountId) },
    ...{ session: make.session(accountId), sessionDigest: make.tokenDigest() },
  })
  const first = spending()
  const digest = make.tokenDigest()
  const invite = (at = digest) => invitations.replace(make.invitation(accountId), at)
  expectOk(await invite())
  expectOk(await invitations.spend(digest, first))
  const addSession = async () => {
    const added = make.session(accountId)
    expectOk(await sessions.insert(added, make.tokenDigest(), first.password.id))
    return added
  }
  const [created, used] = [await addSession(), await addSession()]
  const by = (createdByMicros: number, lastUsedByMicros: number) => ({ createdByMicros, lastUsedByMicros })
  const steps: readonly (readonly [string, () => Step, boolean])[] = [
    ['a session is named', () => sessions.rename(accountId, first.session.id, make.encrypted()), true],
    ['a session is erased', () => sessions.erase(accountId, first.session.id), true],
    ['there was no such session', () => sessions.erase(accountId, first.session.id), false],
    ['none is over', () => sessions.eraseOver(by(-1, -1), 10), false],
    ['one was made too long ago', () => sessions.eraseOver(by(created.createdAtMicros, -1), 1), true],
    ['one was used too long ago', () => sessions.eraseOver(by(-1, used.lastUsedAtMicros), 1), true],
    ['a first one-time link', () => invite(make.tokenDigest()), false],
    ['the next one replaces it', () => invite(), true],
    ['none has expired', () => invitations.eraseExpired(0, 10), false],
    ['its use replaces the password', () => invitations.spend(digest, spending()), true],
    ['a link that nobody uses', () => invite(), false],
    ['it has expired', () => invitations.eraseExpired(Number.MAX_SAFE_INTEGER, 10), true],
  ]
  for (const [name, step, erases] of steps) {
    t.ok(database.erasure.finish())
    expectOk(await step(), name)
    t.equal(database.erasure.pendingForMillis(), erases ? 0 : undefined, name)
  }
  await database.close()
})
