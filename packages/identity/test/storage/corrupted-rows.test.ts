import type { CorruptedRow } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { flipped } from '../../../core/test/corruption.ts'
import { all, homeAddress } from '../../../core/test/world.ts'
import { corruptEachKind } from '../corruption.ts'
import { choosePassword, createWorld, goodPassword } from '../world.ts'

const ada = { email: 'ada@example.org', externalId: undefined }

t.test('a corrupted row of each kind is found, and called by its kind', async (t) => {
  const world = await createWorld()
  const ids = await corruptEachKind(world)
  const found = expectOk(await world.sotto.findCorruptedRows())
  const expected = { ...ids, access_token: ids.token, token: undefined, locked: undefined }
  for (const [kind, id] of Object.entries(expected)) if (id !== undefined) t.equal(kindOf(found, id), kind)
  t.equal(kindOf(found, ids.locked), 'secret')
  t.equal(found.length, 13)
})

function kindOf(rows: readonly CorruptedRow[], id: string): string | undefined {
  return rows.find((row) => row.id === id)?.kind
}

t.test('tokens, sessions, identities and passkeys that are corrupted are erased', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  const ids = Object.values(await corruptEachKind(world))
  const { dropped, refused } = expectOk(await sotto.dropCorruptedRows({ ids, accountName: ada }))
  t.strictSame(refused, [])
  t.equal(dropped.length, 13)
  t.strictSame(expectOk(await sotto.findCorruptedRows()), [], 'nothing is corrupted any more')
  t.strictSame(await all(sotto.listAccessTokens({ accountId })), [])
  t.strictSame(await all(sotto.listSessions({ accountId })), [])
  t.match(expectOk(await sotto.showAuthenticators({ accountId })), { identities: { items: [] }, passkeys: 0 })
})

t.test('a corrupted password is erased: its owner needs a one-time link then', async (t) => {
  const world = await createWorld()
  const { sotto, deps, accountId } = world
  await choosePassword(world)
  const { passwords } = deps.data
  const stored = passwords.get(accountId)!
  const { kid, ciphertext } = stored.hash
  passwords.set(accountId, { ...stored, hash: { kid, ciphertext: flipped(ciphertext) } })
  const attempt = { ...ada, password: goodPassword, address: homeAddress }
  t.match(expectErr(await sotto.signIn(attempt)), { code: 'data_damaged', what: 'account.password' })
  t.match(expectOk(await sotto.findCorruptedRows()), [{ kind: 'password', id: stored.id, accountId }])
  const { dropped } = expectOk(await sotto.dropCorruptedRows({ ids: [stored.id] }))
  t.match(dropped, [{ kind: 'password', outcome: 'erased' }])
  t.strictSame(expectErr(await sotto.signIn(attempt)), { code: 'sign_in_wrong' })
  await choosePassword(world)
  t.ok((await sotto.signIn(attempt)).isOk())
})
