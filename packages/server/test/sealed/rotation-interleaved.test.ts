import { join } from 'node:path'
import {
  createFolder,
  createSecret,
  getSecret,
  openSecret,
  rotateKeys,
  saveDraft,
  shareDraft,
  type RewrapStore,
} from '@sotto/core'
import { okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { withRaw } from './support/sqlite.ts'
import { steppedRotation } from './support/stepped-rotation.ts'
import { addCast, addDraft, addSecret, codeOf, okOf, openIn } from './support/world.ts'

/** Rows that a rotation meets, each of which somebody changes at the same moment. */
async function stage(cwd: string) {
  const installation = await openIn(cwd)
  const cast = await addCast(installation)
  const draft = await addDraft(installation, cast, { note: 'of the draft', password: 'pass' })
  const unlimited = await addSecret(installation, cast, { note: 'unlimited' })
  const single = await addSecret(installation, cast, { note: 'single', openLimit: 1 })
  return { installation, cast, draft, unlimited, single }
}

type Stage = Awaited<ReturnType<typeof stage>>

/** A draft is shared, links are opened, one for the last time, rows are created: all of it must have come to be. */
async function intervene({ installation: { ports }, cast, draft, unlimited, single }: Stage) {
  const { accountId, folderId } = cast
  const shared = await okOf(shareDraft(ports, { accountId, id: draft.id }))
  const opened = await okOf(openSecret(ports, { token: unlimited.link.token }))
  const last = await okOf(openSecret(ports, { token: single.link.token }))
  const created = await okOf(createSecret(ports, { accountId, folderId, label: 'new', note: 'new' }))
  const kept = await okOf(saveDraft(ports, { accountId, folderId, label: 'new draft', note: 'new draft' }))
  const folder = await okOf(createFolder(ports, { accountId, label: 'new folder' }))
  return { shared, opened, last, created, kept, folder }
}

type Intervention = Awaited<ReturnType<typeof intervene>>

/** What of an intervention is lost, or cannot be read. */
async function lossesOf(
  { installation: { ports, upkeep }, cast, unlimited, single }: Stage,
  done: Intervention,
) {
  const { accountId } = cast
  const losses: string[] = []
  const expect = (what: string, ok: boolean): void => {
    if (!ok) losses.push(what)
  }
  const note = async (token: string, password?: string) => {
    const opened = await openSecret(ports, { token, password })
    return opened.isOk() ? opened.value.note : opened.error.code
  }
  expect('the shared draft', (await note(done.shared.link.token, 'pass')) === 'of the draft')
  expect('the created secret', (await note(done.created.link.token)) === 'new')
  expect('the opened secret', (await note(unlimited.link.token)) === 'unlimited')
  expect('the last open', (await note(single.link.token)) === 'link_not_found' && done.last.note === 'single')
  for (const { id } of [done.shared, done.created, unlimited, single])
    expect(`the listing of ${id}`, (await codeOf(getSecret(ports, { accountId, id }))) === 'ok')
  expect('the new draft', (await codeOf(shareDraft(ports, { accountId, id: done.kept.id }))) === 'ok')
  const record = await okOf(ports.links.find(ports.digests.linkLookup(unlimited.link.token)))
  expect('a count of opens', record?.state.opens === 2)
  expect('the soundness of the file', (await okOf(upkeep.inspect())).faults.length === 0)
  return losses
}

/**
 * Rotates once for each of its steps, on an installation of its own each time, with everybody else coming before that step. What was
 * lost at each.
 */
async function rotateWithOthers(t: Test, replaceSecret?: ReplaceIn): Promise<readonly (readonly string[])[]> {
  const losses: string[][] = []
  for (;;) {
    const cwd = t.testdir()
    const scene = await stage(cwd)
    const { rotation } = scene.installation
    const rewraps = { ...rotation.rewraps, ...(replaceSecret && { replaceSecret: replaceSecret(cwd) }) }
    let step = 0
    let done: Promise<Intervention> | undefined
    const stepped = steppedRotation({ ...rotation, rewraps }, () => {
      if (step++ !== losses.length) return undefined
      done = intervene(scene)
      return done.then(() => undefined)
    })
    await okOf(rotateKeys(stepped))
    await okOf(rotateKeys(rotation))
    if (done !== undefined) losses.push(await lossesOf(scene, await done))
    await scene.installation.close()
    if (done === undefined) return losses
  }
}

type ReplaceIn = (cwd: string) => RewrapStore['replaceSecret']

t.test('a share, a create and an open between any two steps of a rotation are not lost', async (t) => {
  const losses = await rotateWithOthers(t)
  t.ok(losses.length >= 16, `${losses.length} steps`)
  t.strictSame(losses.flat(), [])
})

t.test('a rotation that does not compare what it replaces loses some', async (t) => {
  const losses = (await rotateWithOthers(t, replaceBlindly)).flat()
  t.ok(losses.includes('the shared draft'), losses.join(', '))
})

/** Puts a row under another key whatever it holds by now. */
const replaceBlindly: ReplaceIn =
  (cwd) =>
  ({ secret }, { kid, head, wrap }) => {
    withRaw(join(cwd, 'data', 'sotto.sqlite'), (db) => {
      const id = Buffer.from(secret.id.replaceAll('-', ''), 'hex')
      const { nr } = db.prepare('SELECT nr FROM secrets WHERE id = ?').get(id) as { nr: number }
      db.prepare('UPDATE secrets SET kid = ? WHERE nr = ?').run(kid, nr)
      db.prepare('UPDATE ciphertexts SET head = ? WHERE nr = ?').run(head, nr)
      if (wrap !== undefined) db.prepare('UPDATE ciphertexts SET wrap = ? WHERE nr = ?').run(wrap, nr)
    })
    return okAsync(true)
  }
