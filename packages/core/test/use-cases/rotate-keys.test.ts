import t from 'tap'
import { errAsync, ResultAsync } from 'neverthrow'
import type { StorageError } from '../../src/errors.ts'
import type { RotationPorts } from '../../src/ports/ports.ts'
import { createAccessToken } from '../../src/use-cases/create-access-token.ts'
import { createSecret } from '../../src/use-cases/create-secret.ts'
import { findAccount } from '../../src/use-cases/find-account.ts'
import { keyStatus } from '../../src/use-cases/key-status.ts'
import { listAccessTokens } from '../../src/use-cases/list-access-tokens.ts'
import { listDrafts } from '../../src/use-cases/list-drafts.ts'
import { listFolders } from '../../src/use-cases/list-folders.ts'
import { listSecrets } from '../../src/use-cases/list-secrets.ts'
import { openSecret } from '../../src/use-cases/open-secret.ts'
import { retireKey } from '../../src/use-cases/retire-key.ts'
import { rotateKeys } from '../../src/use-cases/rotate-keys.ts'
import { saveDraft } from '../../src/use-cases/save-draft.ts'
import { shareDraft } from '../../src/use-cases/share-draft.ts'
import { all, createWorld, type World } from '../world.ts'

const crash: StorageError = { code: 'storage_unavailable', reason: 'closed' }

t.test('a rotation puts every row under a new key and everything stays readable', async (t) => {
  const world = await createFilledWorld()
  const { ports } = world
  const before = await seen(world)
  const done = (await rotateKeys(ports))._unsafeUnwrap()
  t.match(done, { kid: 2, added: true, damaged: [] })
  t.equal(done.rewrapped, 1 + 1 + 1 + 3)
  t.strictSame(await seen(world), before)
  t.strictSame(await rowsByKid(world), { 1: 0, 2: 6 })
  const { link } = world
  t.equal((await openSecret(ports, { token: link, password: 'right' }))._unsafeUnwrap().note, 'a note')
})

t.test('the old key is retired when nothing uses it, and what it wrote is gone with it', async (t) => {
  const world = await createFilledWorld()
  const { ports } = world
  t.match((await retireKey(ports, { kid: 1 }))._unsafeUnwrapErr(), { code: 'key_in_use', rows: 6 })
  t.ok((await rotateKeys(ports)).isOk())
  t.match((await retireKey(ports, { kid: 2 }))._unsafeUnwrapErr(), { code: 'key_in_use', rows: 6 })
  t.ok((await retireKey(ports, { kid: 1 })).isOk())
  t.strictSame(await rowsByKid(world), { 2: 6 })
  t.strictSame(ports.keyRing.kids(), [2])
  t.match((await retireKey(ports, { kid: 1 }))._unsafeUnwrapErr(), { code: 'key_not_found' })
  t.equal((await findAccount(ports, { email: 'ada@example.org' }))._unsafeUnwrap().id, world.accountId)
})

t.test('a key in use by a row that is not under the active key is not retired', async (t) => {
  const world = await createFilledWorld()
  const { ports } = world
  t.ok((await rotateKeys(ports)).isOk())
  ports.keyRing.file.activeKid = 1
  ports.keyRing.refresh()
  const { accountId, folderId } = world
  t.ok((await createSecret(ports, { accountId, folderId, label: 'x', note: 'y' })).isOk())
  ports.keyRing.file.activeKid = 2
  t.match((await retireKey(ports, { kid: 1 }))._unsafeUnwrapErr(), { code: 'key_in_use', rows: 1 })
})

t.test('cut off at any step and started again, a rotation finishes and loses nothing', async (t) => {
  for (let step = 1; ; step += 1) {
    const world = await createFilledWorld()
    const before = await seen(world)
    const cutOff = await rotateKeys(crashingAt(step, world.ports))
    if (cutOff.isOk()) {
      t.ok(step > 15, `${String(step - 1)} steps`)
      break
    }
    t.strictSame(await seen(world), before, `readable after step ${String(step)} failed`)
    const done = (await rotateKeys(world.ports))._unsafeUnwrap()
    t.strictSame(done.damaged, [])
    t.strictSame(await seen(world), before)
    const status = (await keyStatus(world.ports))._unsafeUnwrap()
    const stale = status.filter(({ active, rows }) => !active && rows > 0)
    t.strictSame(stale, [], `all rows are under the active key after step ${String(step)}`)
    t.ok(world.ports.keyRing.file.kids.length <= 3)
  }
})

t.test('a share that comes between reading and replacing is not undone', async (t) => {
  const world = await createFilledWorld()
  const { ports, accountId, draftId } = world
  let link = ''
  const rewraps: RotationPorts['rewraps'] = {
    ...ports.rewraps,
    replaceSecret: (from, to) =>
      new ResultAsync(
        (async () => {
          if (from.secret.id === draftId && link === '') {
            link = (await shareDraft(ports, { accountId, id: draftId }))._unsafeUnwrap().link.token
          }
          return ports.rewraps.replaceSecret(from, to)
        })(),
      ),
  }
  t.ok((await rotateKeys({ ...ports, rewraps })).isOk())
  t.equal((await openSecret(ports, { token: link }))._unsafeUnwrap().note, 'a draft’s note')
  t.equal((await all(listSecrets(ports, { accountId }))).length, 3)
})

t.test('an open that comes between reading and replacing destroys the note for good', async (t) => {
  const world = await createFilledWorld()
  const { ports, once } = world
  let opened = false
  const rewraps: RotationPorts['rewraps'] = {
    ...ports.rewraps,
    replaceSecret: (from, to) =>
      new ResultAsync(
        (async () => {
          if (!opened) opened = (await openSecret(ports, { token: once })).isOk()
          return ports.rewraps.replaceSecret(from, to)
        })(),
      ),
  }
  t.ok((await rotateKeys({ ...ports, rewraps })).isOk())
  t.ok(opened)
  t.match((await openSecret(ports, { token: once }))._unsafeUnwrapErr(), { code: 'link_not_found' })
  t.equal((await all(listSecrets(ports, world))).length, 2, 'it stays listed')
})

t.test('damaged rows are told and left, and do not keep a later rotation from adding a key', async (t) => {
  const world = await createFilledWorld()
  const { ports } = world
  const [row] = [...ports.data.secrets.values()]
  if (row === undefined) throw new Error('no row')
  const head = row.secret.head.map((byte, at) => (at === 0 ? byte ^ 255 : byte)) as typeof row.secret.head
  ports.data.secrets.set(row.secret.id, { ...row, secret: { ...row.secret, head } })
  const first = (await rotateKeys(ports))._unsafeUnwrap()
  t.match(first, { kid: 2, added: true, damaged: [{ code: 'data_damaged', id: row.secret.id }] })
  const second = (await rotateKeys(ports))._unsafeUnwrap()
  t.match(second, { kid: 3, added: true, rewrapped: 5, damaged: [{ id: row.secret.id }] })
})

t.test('progress is told after each batch', async (t) => {
  const { ports } = await createFilledWorld()
  const told: number[] = []
  t.ok(
    (
      await rotateKeys(ports, { onProgress: ({ kid, rewrapped }) => told.push(kid * 100 + rewrapped) })
    ).isOk(),
  )
  t.strictSame(told, [100, 100, 100, 100, 201, 202, 203, 206])
})

interface FilledWorld extends World {
  /** The link of a secret with the password «right». */
  readonly link: string
  /** The link of a secret that can be opened once. */
  readonly once: string
  readonly draftId: string
}

async function createFilledWorld(): Promise<FilledWorld> {
  const world = await createWorld()
  const { ports, accountId, folderId } = world
  const input = { accountId, folderId, label: 'a label', note: 'a note' }
  const token = await createAccessToken(ports, { accountId, name: 'a token' })
  token._unsafeUnwrap()
  const locked = (await createSecret(ports, { ...input, password: 'right' }))._unsafeUnwrap()
  const once = (await createSecret(ports, { ...input, openLimit: 1 }))._unsafeUnwrap()
  const draft = (await saveDraft(ports, { ...input, note: 'a draft’s note' }))._unsafeUnwrap()
  return { ...world, link: locked.link.token, once: once.link.token, draftId: draft.id }
}

/** Everything that owners see. */
async function seen({ ports, accountId }: World): Promise<unknown> {
  return {
    account: (await findAccount(ports, { email: 'ada@example.org' }))._unsafeUnwrap(),
    folders: await all(listFolders(ports, { accountId })),
    secrets: await all(listSecrets(ports, { accountId })),
    drafts: await all(listDrafts(ports, { accountId })),
    tokens: await all(listAccessTokens(ports, { accountId })),
  }
}

async function rowsByKid({ ports }: World): Promise<Record<number, number>> {
  const status = (await keyStatus(ports))._unsafeUnwrap()
  return Object.fromEntries(status.map(({ kid, rows }) => [kid, rows]))
}

/** Ports of which the call number `step`, counted over all that change or read anything durable, fails and all after it. */
function crashingAt(step: number, ports: RotationPorts): RotationPorts {
  let calls = 0
  const guarded = <Port extends object>(port: Port, names: readonly (keyof Port)[]): Port => {
    const copy: Port = { ...port }
    for (const name of names) {
      const method = port[name] as (...given: unknown[]) => ResultAsync<unknown, unknown>
      const crashing = (...given: unknown[]) => ((calls += 1) >= step ? errAsync(crash) : method(...given))
      Object.assign(copy, { [name]: crashing })
    }
    return copy
  }
  return {
    ...ports,
    keys: guarded(ports.keys, ['list', 'add']),
    rewraps: guarded(ports.rewraps, ['texts', 'secrets', 'replaceText', 'replaceSecret']),
    keyRing: guarded(ports.keyRing, ['addKey', 'activate']),
  }
}
