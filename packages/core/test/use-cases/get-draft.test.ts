import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { getDraft } from '../../src/use-cases/get-draft.ts'
import { damageSecret } from '../damage.ts'
import { counting, createWorld, newSecret, unknownId } from '../world.ts'

t.test('a draft is shown with its note, byte for byte', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const note = '\r\n a\u0301 \n'
  const draft = expectOk(await sotto.saveDraft(newSecret(world, { note, openLimit: 3, notify: true })))
  const shown = expectOk(await getDraft(deps, { accountId, id: draft.id.toUpperCase(), password: 'ignored' }))
  t.strictSame(shown, { ...draft, note, version: shown.version })
})

t.test('the note of a draft with a password is shown only with the password', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world, { password: 'sch\u00f6n' })))
  const { id } = draft
  const hidden = expectOk(await getDraft(deps, { accountId, id }))
  t.strictSame(hidden, { ...draft, note: undefined, version: hidden.version })
  for (let nr = 0; nr < 7; nr += 1) {
    t.strictSame(expectErr(await getDraft(deps, { accountId, id, password: 'wrong' })), {
      code: 'password_wrong',
    })
  }
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

t.test('a draft whose label is damaged is not shown', async (t) => {
  const world = await createWorld()
  const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
  damageSecret(world, id, 'head')
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
