import { expectOk, noonMicros } from '@sotto/test-kit'
import type { ResultAsync } from 'neverthrow'
import { test } from 'tap'
import { open, temporaryDir } from './support/helpers.ts'
import { createManualTimers } from './support/manual-timers.ts'
import { reserved } from './support/files.ts'
import { addFolder } from './support/rows.ts'

type Step = ResultAsync<unknown, { readonly code: string }>

test('the log is emptied after each way to erase files, requests, identities and passkeys, and only if there were any', async (t) => {
  const database = await open(temporaryDir(t), { timers: createManualTimers() })
  const { make, folder } = await addFolder(database)
  const { secrets, drafts, secretFiles, requests, identities, passkeys, sessions } = database
  const { accountId } = folder
  const secret = make.secret(folder)
  const files = [make.file(secret)]
  const draft = { ...make.draft(folder), link: undefined }
  const fileOfDraft = make.file(draft)
  const [request, other] = [make.request(folder), make.request(folder)]
  const [identity, second, index] = [make.identity(accountId), make.identity(accountId), make.nameIndex()]
  const passkey = make.passkey(accountId)
  const signIn = () => sessions.insert(make.session(accountId), make.tokenDigest(), identity.id)
  const logOut = () => {
    const token = { digest: make.tokenDigest(), eraseAtMicros: noonMicros }
    return identities.endSessions({ identity: [index], providerSession: undefined, token })
  }
  const eraseExpired = (closedByMicros: number) =>
    requests.eraseExpired(closedByMicros, 1, ({ id: requestId }) => ({
      ...make.event(accountId),
      ...{ type: 'request.closed_unanswered', requestId, answers: 0, answersLeft: 1 },
    }))
  await reserved(database, [...files, fileOfDraft])
  const options = { mayErase: () => true, keepSessionId: undefined }
  const steps: readonly (readonly [string, () => Step, boolean])[] = [
    ['a secret with a file', () => secrets.insert(secret, make.note(), files), false],
    ['there was no such file', () => secretFiles.erase(make.uuid()), false],
    ['a file', () => secretFiles.erase(files[0]!.id), true],
    ['a draft with a file', () => secrets.insert(draft, make.note(), [fileOfDraft]), false],
    [
      'a draft loses its file',
      () => drafts.replace(draft.headCiphertext, draft, make.note(), { files: [] }),
      true,
    ],
    ['the file of a draft', () => secretFiles.erase(fileOfDraft.id), true],
    ['a request', () => requests.insert(request, make.tokenDigest()), false],
    ['no request is over', () => eraseExpired(request.closesAtMicros - 1), false],
    ['a request is over', () => eraseExpired(request.closesAtMicros), true],
    ['another request', () => requests.insert(other, make.tokenDigest()), false],
    ['there was no such folder', () => requests.eraseIn(accountId, make.uuid(), 1), false],
    ['the requests of a folder', () => requests.eraseIn(accountId, folder.id, 1), true],
    ['an identity', () => identities.insert(identity, [index], 2), false],
    ['a refusal without a session', () => identities.refuse(identity.id, 1), false],
    ['a session', signIn, false],
    ['a refusal', () => identities.refuse(identity.id, 1), true],
    ['a logout without a session', logOut, false],
    ['another session', signIn, false],
    ['a logout', logOut, true],
    ['a second identity', () => identities.insert(second, [make.nameIndex()], 2), false],
    ['an identity is disconnected', () => identities.erase(accountId, identity.id, options), true],
    ['a passkey', () => passkeys.insert(passkey, make.tokenDigest(), 1), false],
    ['a passkey is removed', () => passkeys.erase(accountId, passkey.id, options), true],
  ]
  for (const [name, step, erases] of steps) {
    t.ok(database.erasure.finish())
    expectOk(await step(), name)
    t.equal(database.erasure.pendingForMillis(), erases ? 0 : undefined, name)
  }
  await database.close()
})
