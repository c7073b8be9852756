import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { findCorruptedRows } from '../../src/storage/corrupted-rows.ts'
import type { CorruptedRow } from '../../src/storage/corruption.ts'
import { corruptEachKind, corruptLabel, corruptSecret } from '../corruption.ts'
import { addWebhook, createWorld, newSecret, unknownId } from '../world.ts'

async function filled() {
  const world = await createWorld()
  const { sotto } = world
  for (let count = 0; count < 60; count += 1) expectOk(await sotto.createSecret(newSecret(world)))
  // What comes later has higher ids, so it is not among the rows that are read first.
  world.deps.clock.advance(1_000)
  const ids = [
    expectOk(await sotto.createSecret(newSecret(world))).id,
    expectOk(await sotto.createSecret(newSecret(world, { password: 'p' }))).id,
    expectOk(await sotto.saveDraft(newSecret(world))).id,
    expectOk(await sotto.saveDraft(newSecret(world, { password: 'p' }))).id,
  ]
  await addWebhook(world)
  const spent = expectOk(await sotto.createSecret(newSecret(world, { openLimit: 1 })))
  expectOk(await sotto.openSecret({ token: spent.link.token }))
  return { ...world, ids }
}

t.test('sound data has no corruption', async (t) => {
  const { deps } = await filled()
  t.strictSame(expectOk(await findCorruptedRows(deps)), [])
})

t.test('a changed head, wrapped key or note is found, with a password too', async (t) => {
  const columns = { headCiphertext: 'secret.head', wrappedKey: 'secret.wrap', note: 'secret.note' } as const
  for (const part of ['headCiphertext', 'wrappedKey', 'note'] as const) {
    const { ids, ...world } = await filled()
    const { deps, accountId } = world
    for (const id of ids) corruptSecret(world, id, part)
    const expected = ids.map((id, at) => ({
      kind: at < 2 ? 'secret' : 'draft',
      id,
      accountId,
      error: { code: 'data_damaged', what: columns[part], id },
    }))
    const byId = expected.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    t.strictSame(expectOk(await findCorruptedRows(deps)), byId, part)
  }
})

t.test('a changed text is found', async (t) => {
  const world = await filled()
  const { deps, folderId, accountId } = world
  corruptLabel(world)
  const error = { code: 'data_damaged', what: 'folder.label', id: folderId }
  const corrupted = [{ kind: 'folder', id: folderId, accountId, error }]
  t.strictSame(expectOk(await findCorruptedRows(deps)), corrupted)
  t.strictSame(expectOk(await findCorruptedRows(deps, { accountId })), corrupted, 'of its account')
  t.strictSame(expectOk(await findCorruptedRows(deps, { accountId: unknownId })), [], 'of another one')
})

t.test('a corrupted row of each kind is found, and called by its kind', async (t) => {
  const world = await createWorld()
  const ids = await corruptEachKind(world)
  const found = expectOk(await findCorruptedRows(world.deps))
  const expected = { ...ids, locked: undefined }
  for (const [kind, id] of Object.entries(expected)) if (id !== undefined) t.equal(kindOf(found, id), kind)
  t.equal(kindOf(found, ids.locked), 'secret')
  t.equal(found.length, 9)
})

function kindOf(rows: readonly CorruptedRow[], id: string): string | undefined {
  return rows.find((row) => row.id === id)?.kind
}
