import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import { lockMicros, noAttempts, wrongToDisable, wrongToLock } from '../../src/shared/attempts.ts'
import { getDraft } from '../../src/drafts/get-draft.ts'
import { corruptSecret } from '../corruption.ts'
import { noFiles } from '../files.ts'
import { counting, createWorld, newSecret, unknownId } from '../world.ts'

t.test('a draft is shown with its note, byte for byte', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const note = '\r\n a\u0301 \n'
  const draft = expectOk(await sotto.saveDraft(newSecret(world, { note, openLimit: 3, notify: true })))
  const shown = expectOk(await getDraft(deps, { accountId, id: draft.id.toUpperCase(), password: 'ignored' }))
  t.strictSame(shown, {
    ...draft,
    note,
    ...noFiles,
    isDisabled: false,
    answers: undefined,
    version: shown.version,
  })
})

// Promise (The owner's pages): A draft with a password shows its note only with the password
t.test('the note of a draft with a password is shown only with the password', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world, { password: 'sch\u00f6n' })))
  const { id } = draft
  const hidden = expectOk(await getDraft(deps, { accountId, id }))
  const rest = { ...noFiles, isDisabled: false, answers: undefined, version: hidden.version }
  t.strictSame(hidden, { ...draft, note: undefined, ...rest })
  t.strictSame(expectErr(await getDraft(deps, { accountId, id, password: 'wrong' })), {
    code: 'password_wrong',
  })
  t.equal(expectOk(await getDraft(deps, { accountId, id, password: 'scho\u0308n' })).note, 'a note')
})

t.test('a password that no draft can have is wrong, and is not hashed', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world, { password: 'p' })))
  const { port: secretCipher, calls } = counting(deps.secretCipher)
  for (const password of ['', 'x'.repeat(1_025)]) {
    const refused = await getDraft({ ...deps, secretCipher }, { accountId, id, password })
    t.strictSame(expectErr(refused), { code: 'password_wrong' })
  }
  t.equal(calls['decryptNote'], undefined)
})

/** A draft with the password `right`, and a way to guess it. */
async function startGuessing() {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world, { password: 'right' })))
  const guess = (password = 'wrong', ports: Parameters<typeof getDraft>[0] = deps) =>
    getDraft(ports, { accountId, id, password })
  /** Guesses wrong, and waits for the end of each lock. */
  const guessWrong = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      if (time > 0 && time % wrongToLock === 0) deps.clock.advance(lockMicros)
      const { code } = expectErr(await guess())
      if (code !== 'password_wrong') throw new Error(`${time}: ${code}`)
    }
  }
  return { ...world, id, guess, guessWrong }
}

// Promise (The owner's pages): A draft with a password shows its note only with the password: five wrong ones lock it for 30 minutes
t.test('five wrong passwords lock a draft for 30 minutes, also for the right one', async (t) => {
  const { deps, guess, guessWrong } = await startGuessing()
  await guessWrong(wrongToLock)
  for (const [passed, left] of [
    [0, 1_800],
    [lockMicros - 1, 1],
  ] as const) {
    deps.clock.advance(passed)
    const locked = { code: 'draft_locked', reason: 'wrong_passwords', retryAfterSeconds: left }
    t.strictSame(expectErr(await guess('right')), locked)
  }
  deps.clock.advance(1)
  t.equal(expectOk(await guess('right')).note, 'a note')
})

// Promise (The owner's pages): A draft with a password shows its note only with the password: whatever the concurrency
t.test('guesses at the same time are at most five: each is reserved before it is verified', async (t) => {
  const { deps, guess } = await startGuessing()
  const { port: secretCipher, calls } = counting(deps.secretCipher)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => guess('wrong', { ...deps, secretCipher })),
  )
  t.equal(calls['decryptNote'], wrongToLock)
  const codes = answers.map((answer) => expectErr(answer).code)
  t.equal(codes.filter((code) => code === 'password_wrong').length, wrongToLock)
  t.equal(codes.filter((code) => code === 'draft_locked').length, 12 - wrongToLock)
})

t.test('a right password, a busy hasher and corruption count as no guess', async (t) => {
  const world = await startGuessing()
  const { deps, guess, id } = world
  for (const decryptNote of [
    deps.secretCipher.decryptNote,
    () => errAsync({ code: 'hasher_busy' } as const),
    () => errAsync({ code: 'data_damaged', what: 'secret.note', id } as const),
  ]) {
    const secretCipher = { ...deps.secretCipher, decryptNote }
    for (let time = 0; time <= wrongToLock; time += 1) t.ok(await guess('right', { ...deps, secretCipher }))
  }
  t.strictSame(deps.data.secrets.get(id)?.attempts, noAttempts)
})

t.test('a wrong password is told only once it is counted', async (t) => {
  const { deps, guess } = await startGuessing()
  let calls = 0
  const drafts: Parameters<typeof getDraft>[0]['drafts'] = {
    ...deps.drafts,
    updateAttempts: (...given) =>
      (calls += 1) === 1
        ? deps.drafts.updateAttempts(...given)
        : errAsync({ code: 'storage_unavailable', reason: 'full' }),
  }
  t.equal(expectErr(await guess('wrong', { ...deps, drafts })).code, 'storage_unavailable')
  calls = 0
  t.equal(expectOk(await guess('right', { ...deps, drafts })).note, 'a note', 'a right one shows the note')
})

// Promise (The owner's pages): A draft with a password shows its note only with the password: a hundred disable it, until it gets a new
// note
t.test('after a hundred wrong passwords a draft is disabled, until it gets a new note', async (t) => {
  const { deps, sotto, accountId, id, folderId, guess, guessWrong } = await startGuessing()
  await guessWrong(wrongToDisable)
  deps.clock.advance(lockMicros)
  t.strictSame(expectErr(await guess('right')), { code: 'draft_disabled' })
  t.match(expectOk(await getDraft(deps, { accountId, id })), { isDisabled: true, note: undefined })
  t.strictSame(expectErr(await sotto.shareDraft({ accountId, id })), { code: 'draft_disabled' })
  const fields = { accountId, id, folderId, label: 'new label' }
  expectOk(await sotto.editDraft({ ...fields, content: undefined }))
  t.strictSame(expectErr(await guess('right')), { code: 'draft_disabled' }, 'another label changes nothing')
  expectOk(await sotto.editDraft({ ...fields, content: { note: 'new note', password: 'new' } }))
  t.match(expectOk(await guess('new')), { isDisabled: false, note: 'new note' })
  t.ok((await sotto.shareDraft({ accountId, id })).isOk())
})

// Promise (The owner's pages): A draft with a password shows its note only with the password: and they count for its link
t.test('wrong passwords for a draft count for its link', async (t) => {
  const { deps, sotto, accountId, id, guessWrong } = await startGuessing()
  await guessWrong(wrongToLock - 1)
  const { token } = expectOk(await sotto.shareDraft({ accountId, id })).link
  t.equal(expectErr(await sotto.openSecret({ token, password: 'wrong' })).code, 'password_wrong')
  t.equal(expectErr(await sotto.openSecret({ token, password: 'right' })).code, 'link_locked')
  t.equal(deps.data.secrets.get(id)?.attempts.wrongTotal, wrongToLock)
})

t.test('a draft whose label is corrupted is not shown', async (t) => {
  const world = await createWorld()
  const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
  corruptSecret(world, id, 'headCiphertext')
  t.strictSame(expectErr(await getDraft(world.deps, { accountId: world.accountId, id })), {
    code: 'data_damaged',
    what: 'secret.head',
    id,
  })
})

t.test('a shared secret, and an unknown, malformed or another account’s draft are not found', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  const secret = expectOk(await sotto.createSecret(newSecret(world)))
  for (const input of [
    { accountId, id: secret.id },
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id },
  ]) {
    t.strictSame(expectErr(await getDraft(deps, input)), { code: 'draft_not_found' })
  }
})
