import { expectErr, expectOk, failing } from '@sotto/test-kit'
import t from 'tap'
import type { Ciphertext } from '../../src/ports/ciphertext.ts'
import { findDamage } from '../../src/use-cases/find-damage.ts'
import { createWorld, newSecret } from '../world.ts'

const flipped = (bytes: Uint8Array) => Uint8Array.from(bytes, (byte) => byte ^ 1) as Ciphertext

async function filled() {
  const world = await createWorld()
  const { sotto, accountId, deps } = world
  for (let count = 0; count < 60; count += 1) expectOk(await sotto.createSecret(newSecret(world)))
  const ids = [
    expectOk(await sotto.createSecret(newSecret(world))).id,
    expectOk(await sotto.createSecret(newSecret(world, { password: 'p' }))).id,
    expectOk(await sotto.saveDraft(newSecret(world))).id,
    expectOk(await sotto.saveDraft(newSecret(world, { password: 'p' }))).id,
  ]
  expectOk(await sotto.createAccessToken({ accountId, name: 'laptop' }))
  const spent = expectOk(await sotto.createSecret(newSecret(world, { openLimit: 1 })))
  expectOk(await sotto.openSecret({ token: spent.link.token }))
  return { ...world, data: deps.data, ids }
}

t.test('sound data has no damage', async (t) => {
  const { deps } = await filled()
  t.strictSame(expectOk(await findDamage(deps)), [])
})

t.test('a changed head, wrap or note is found, a note with a password excepted', async (t) => {
  for (const column of ['head', 'wrap', 'note'] as const) {
    const { deps, data, ids } = await filled()
    for (const id of ids) {
      const row = data.secrets.get(id)!
      const note = row.note!
      data.secrets.set(
        id,
        column === 'head'
          ? { ...row, secret: { ...row.secret, head: flipped(row.secret.head) } }
          : { ...row, note: { ...note, [column]: flipped(note[column]) } },
      )
    }
    const expected = column === 'note' ? [ids[0]!, ids[2]!] : ids
    t.strictSame(
      expectOk(await findDamage(deps)),
      expected.toSorted().map((id) => ({ code: 'data_damaged', what: `secret.${column}`, id })),
      column,
    )
  }
})

t.test('a changed text is found', async (t) => {
  const { deps, data, folderId } = await filled()
  const folder = data.folders.get(folderId)!
  const label = { ...folder.label, ciphertext: flipped(folder.label.ciphertext) }
  data.folders.set(folderId, { ...folder, label })
  t.strictSame(expectOk(await findDamage(deps)), [
    { code: 'data_damaged', what: 'folder.label', id: folderId },
  ])
})

t.test('a storage error ends the search', async (t) => {
  const { deps } = await filled()
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  for (const replaced of [
    { rewraps: failing(deps.rewraps, { texts: busy }) },
    { rewraps: failing(deps.rewraps, { secrets: busy }) },
    { links: failing(deps.links, { findWithNote: busy }) },
    { drafts: failing(deps.drafts, { find: busy }) },
  ]) {
    t.strictSame(expectErr(await findDamage({ ...deps, ...replaced })), busy)
  }
})
