import { errAsync } from 'neverthrow'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import t from 'tap'
import { dropCorruptedRows, findCorruptedRows } from '../../src/storage/corrupted-rows.ts'
import { labelInPlaceOfCorrupted } from '../../src/storage/corruption.ts'
import { contentsOf, counted, saveFiles, shareFiles } from '../files.ts'
import { corruptEachKind, corruptFile, corruptLabel, corruptName, corruptSecret } from '../corruption.ts'
import { all, createWorld, newSecret, unknownId } from '../world.ts'

const ada = { email: 'ada@example.org', externalId: undefined }

t.test(
  'secrets, drafts, files, requests, webhooks and display names are erased; a folder and an account get another text',
  async (t) => {
    const world = await createWorld()
    const { sotto, deps, accountId } = world
    const sound = expectOk(await sotto.createSecret(newSecret(world)))
    const ids = await corruptEachKind(world)
    const before = expectOk(await findCorruptedRows(deps))
    t.equal(before.length, 9)
    const { dropped, refused } = expectOk(
      await dropCorruptedRows(deps, { ids: Object.values(ids), accountName: ada }),
    )
    t.strictSame(refused, [])
    t.strictSame(
      dropped,
      before.map((row) => ({
        ...row,
        outcome: ['account', 'folder'].includes(row.kind) ? 'replaced' : 'erased',
      })),
    )
    t.strictSame(expectOk(await findCorruptedRows(deps)), [], 'nothing is corrupted any more')
    t.equal(expectOk(await sotto.findAccount({ email: 'ada@example.org' })).id, accountId)
    t.match(await all(sotto.listFolders({ accountId })), [
      { label: labelInPlaceOfCorrupted, secretsCount: 2 },
    ])
    t.equal(expectOk(await sotto.getAccount({ accountId })).displayName, undefined)
    t.strictSame(expectOk(await sotto.listWebhooks({ accountId })), { items: [], corrupted: [] })
    t.strictSame(await all(sotto.listDrafts({ accountId })), [])
    t.strictSame(await all(sotto.listRequests({ accountId })), [])
    t.equal((await all(sotto.listSecrets({ accountId }))).at(-1)?.id, sound.id)
    t.ok((await sotto.openSecret({ token: sound.link.token })).isOk())
  },
)

t.test('a row that is not named stays, and one that is not corrupted is refused', async (t) => {
  const world = await createWorld()
  const { sotto, deps } = world
  const sound = expectOk(await sotto.saveDraft(newSecret(world)))
  const [named, other] = [
    expectOk(await sotto.saveDraft(newSecret(world))).id,
    expectOk(await sotto.saveDraft(newSecret(world))).id,
  ]
  for (const id of [named, other]) corruptSecret(world, id, 'note')
  const ids = [named.toUpperCase(), sound.id, unknownId, 'nonsense']
  const { dropped, refused } = expectOk(await dropCorruptedRows(deps, { ids }))
  t.match(dropped, [{ id: named, kind: 'draft', outcome: 'erased' }])
  t.strictSame(
    refused.map(({ reason }) => reason),
    ['not_damaged', 'not_damaged', 'not_damaged'],
  )
  t.equal(refused[0]?.id, sound.id)
  t.strictSame([...deps.data.secrets.keys()], [sound.id, other])
})

t.test('the name of an account is only replaced by the one that it had', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const { id: other } = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' }))
  corruptName(world)
  const drop = async (email?: string) => {
    const accountName = email === undefined ? undefined : { email, externalId: undefined }
    return expectOk(await dropCorruptedRows(deps, { ids: [accountId], accountName }))
  }
  t.strictSame(await drop(), { dropped: [], refused: [{ id: accountId, reason: 'name_missing' }] })
  for (const wrong of ['bob@example.org', 'eve@example.org'])
    t.match(await drop(wrong), { refused: [{ id: accountId, reason: 'name_differs' }] })
  t.match(await drop('ada@example.org'), { dropped: [{ id: accountId, outcome: 'replaced' }] })
  t.equal(expectOk(await world.sotto.findAccount({ email: 'bob@example.org' })).id, other)
  expectOk(await world.sotto.rotateKeys())
  expectOk(await world.sotto.retireKey({ kid: 1 }))
  t.equal(expectOk(await world.sotto.findAccount({ email: 'ada@example.org' })).id, accountId)
})

t.test('a row whose key the ring lacks is not corrupted: it is refused', async (t) => {
  const world = await createWorld()
  const { deps, folderId } = world
  expectOk(await world.sotto.rotateKeys())
  deps.keyRing.file.kids = [1]
  deps.keyRing.refresh()
  const found = expectOk(await findCorruptedRows(deps))
  t.match(found, [{ error: { code: 'key_unknown', kid: 2 } }, { id: folderId }])
  const { dropped, refused } = expectOk(await dropCorruptedRows(deps, { ids: [folderId] }))
  t.strictSame({ dropped, refused }, { dropped: [], refused: [{ id: folderId, reason: 'key_unknown' }] })
})

t.test('a row that changes after it was read stays', async (t) => {
  const world = await createWorld()
  const { sotto, deps, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  const before = deps.data.secrets.get(draft.id)!
  const label = deps.data.folders.get(world.folderId)!
  corruptSecret(world, draft.id, 'note')
  corruptLabel(world)
  const replaceText: Parameters<typeof dropCorruptedRows>[0]['rewraps']['replaceText'] = (...given) => {
    deps.data.folders.set(world.folderId, label)
    return deps.rewraps.replaceText(...given)
  }
  const eraseSecret: Parameters<typeof dropCorruptedRows>[0]['corruption']['eraseSecret'] = (...given) => {
    deps.data.secrets.set(draft.id, before)
    return deps.corruption.eraseSecret(...given)
  }
  const { dropped, refused } = expectOk(
    await dropCorruptedRows(
      { ...deps, rewraps: { ...deps.rewraps, replaceText }, corruption: { ...deps.corruption, eraseSecret } },
      { ids: [world.folderId, draft.id] },
    ),
  )
  t.strictSame(dropped, [])
  t.strictSame(refused, [
    { id: world.folderId, reason: 'row_changed' },
    { id: draft.id, reason: 'row_changed' },
  ])
  t.match(await all(sotto.listFolders({ accountId })), [{ label: 'First' }])
})

t.test('when its key was retired in the meantime, a label is encrypted again', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  corruptLabel(world)
  let calls = 0
  const replaceText: Parameters<typeof dropCorruptedRows>[0]['rewraps']['replaceText'] = (...given) =>
    (calls += 1) === 1 ? errAsync({ code: 'key_retired' }) : deps.rewraps.replaceText(...given)
  const rewraps = { ...deps.rewraps, replaceText }
  expectOk(await dropCorruptedRows({ ...deps, rewraps }, { ids: [world.folderId] }))
  t.match(await all(world.sotto.listFolders({ accountId })), [{ label: labelInPlaceOfCorrupted }])
  const broken = { code: 'storage_unavailable', reason: 'full' } as const
  corruptLabel(world)
  const full = { ...deps, rewraps: failing(deps.rewraps, { replaceText: broken }) }
  t.strictSame(expectErr(await dropCorruptedRows(full, { ids: [world.folderId] })), broken)
})

// Promise (Files): A file that an operator gives up is erased with its content, and its bytes free the account's sum
t.test('a file is erased with its content, and its bytes free the sum of its account', async (t) => {
  const world = await createWorld()
  const { sotto, deps, accountId } = world
  await shareFiles(world, ['12345', '1'])
  await saveFiles(world, ['22'])
  const usedBytes = async () => expectOk(await sotto.fileUsage({ accountId })).usedBytes
  const [first, second, third] = [...deps.data.files.keys()]
  for (const id of [first!, second!]) corruptFile(world, id)
  t.equal(await usedBytes(), 3 * counted)
  t.match(expectOk(await dropCorruptedRows(deps, { ids: [first!] })), {
    dropped: [{ kind: 'file', outcome: 'erased' }],
  })
  t.strictSame(contentsOf(world), [second, third].toSorted())
  t.equal(await usedBytes(), 2 * counted)
  expectOk(await dropCorruptedRows(deps, { ids: [second!] }))
  t.strictSame([contentsOf(world), await usedBytes()], [[third], counted])
})
