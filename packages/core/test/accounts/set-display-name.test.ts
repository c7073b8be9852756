import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { setDisplayName } from '../../src/accounts/account-choices.ts'
import { corruptDisplayName } from '../corruption.ts'
import { createWorld, newSecret, unknownId } from '../world.ts'

t.test('recipients see the display name before and after they open a link, until it is erased', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { token } = expectOk(await sotto.createSecret(newSecret(world))).link
  const names = async () => [
    expectOk(await sotto.previewLink({ token })).from,
    expectOk(await sotto.openSecret({ token })).from,
    expectOk(await sotto.getAccount({ accountId })).displayName,
  ]
  for (const displayName of ['Ann Reed', 'アン 😀', 'x'.repeat(60)]) {
    expectOk(await setDisplayName(deps, { accountId, displayName }))
    t.strictSame(await names(), [displayName, displayName, displayName])
  }
  expectOk(await setDisplayName(deps, { accountId, displayName: '  Ann  ' }))
  t.equal((await names())[0], 'Ann', 'trimmed')
  expectOk(await setDisplayName(deps, { accountId, displayName: undefined }))
  t.strictSame(await names(), [undefined, undefined, undefined])
})

t.test('a display name is bound to its row, and rotation keeps it', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  expectOk(await setDisplayName(deps, { accountId, displayName: 'Ann' }))
  expectOk(await sotto.rotateKeys())
  expectOk(await sotto.retireKey({ kid: 1 }))
  t.equal(expectOk(await sotto.getAccount({ accountId })).displayName, 'Ann')
})

t.test('a name that does not decrypt hides neither the account nor the note', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { token } = expectOk(await sotto.createSecret(newSecret(world))).link
  expectOk(await setDisplayName(deps, { accountId, displayName: 'Ann' }))
  corruptDisplayName(world)
  t.equal(expectOk(await sotto.openSecret({ token })).from, undefined)
  t.equal(expectOk(await sotto.getAccount({ accountId })).displayName, undefined)
})

// Promise (The owner's pages): A display name has no character that could make it look like another
t.test('empty, long and misleading names are refused, and unknown accounts', async (t) => {
  const { deps, accountId } = await createWorld()
  for (const [displayName, rule] of [
    ['', 'empty'],
    ['  ', 'empty'],
    ['x'.repeat(61), 'too_long'],
    ['a\nb', 'control_character'],
    ['Ann \u202ederR', 'invisible_character'],
    ['Ann \u2066Reed', 'invisible_character'],
    ['\ud800', 'lone_surrogate'],
  ] as const) {
    const error = expectErr(await setDisplayName(deps, { accountId, displayName }))
    t.match(error, { code: 'fields_invalid', errors: [{ field: 'displayName', rule }] })
  }
  const unknown = { accountId: unknownId, displayName: 'Ann' }
  t.strictSame(expectErr(await setDisplayName(deps, unknown)), { code: 'account_not_found' })
})
