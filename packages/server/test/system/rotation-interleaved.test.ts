import { join } from 'node:path'
import { rotateKeys, type RewrapStore } from '@sotto/core'
import { expectOk, linkRecordOf } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { withRaw } from '../support/raw-sqlite.ts'
import { steppedRotation } from './support/stepped-rotation.ts'
import { addDraft, addOwner, addSecret, codeOf, openIn } from '../support/installation.ts'

/** An installation with a row for each change that is made during a rotation. */
async function stage(cwd: string) {
  const installation = await openIn(cwd)
  const owner = await addOwner(installation)
  const draft = await addDraft(installation, owner, { note: 'of the draft', password: 'pass' })
  const unlimited = await addSecret(installation, owner, { note: 'unlimited' })
  const single = await addSecret(installation, owner, { note: 'single', openLimit: 1 })
  return { installation, owner, draft, unlimited, single }
}

type Stage = Awaited<ReturnType<typeof stage>>

/** Shares a draft, opens links, one of them for the last time, and creates rows. */
async function intervene({ installation: { sotto }, owner, draft, unlimited, single }: Stage) {
  const { accountId, folderId } = owner
  const shared = expectOk(await sotto.shareDraft({ accountId, id: draft.id }))
  const opened = expectOk(await sotto.openSecret({ token: unlimited.link.token }))
  const last = expectOk(await sotto.openSecret({ token: single.link.token }))
  const created = expectOk(await sotto.createSecret({ accountId, folderId, label: 'new', note: 'new' }))
  const saved = expectOk(
    await sotto.saveDraft({ accountId, folderId, label: 'new draft', note: 'new draft' }),
  )
  const folder = expectOk(await sotto.createFolder({ accountId, label: 'new folder' }))
  return { shared, opened, last, created, saved, folder }
}

type Intervention = Awaited<ReturnType<typeof intervene>>

/** Which changes of an intervention are lost or cannot be read. */
async function lossesOf(
  { installation: { sotto, ports, storage }, owner, unlimited, single }: Stage,
  done: Intervention,
) {
  const { accountId } = owner
  const losses: string[] = []
  const expect = (what: string, ok: boolean): void => {
    if (!ok) losses.push(what)
  }
  const note = async (token: string, password?: string) => {
    const opened = await sotto.openSecret({ token, password })
    return opened.isOk() ? opened.value.note : opened.error.code
  }
  expect('the shared draft', (await note(done.shared.link.token, 'pass')) === 'of the draft')
  expect('the created secret', (await note(done.created.link.token)) === 'new')
  expect('the opened secret', (await note(unlimited.link.token)) === 'unlimited')
  expect('the last open', (await note(single.link.token)) === 'link_not_found' && done.last.note === 'single')
  for (const { id } of [done.shared, done.created, unlimited, single])
    expect(`the listing of ${id}`, (await codeOf(sotto.getSecret({ accountId, id }))) === 'ok')
  expect('the new draft', (await codeOf(sotto.shareDraft({ accountId, id: done.saved.id }))) === 'ok')
  const record = await linkRecordOf(ports, ports.digests.linkLookup(unlimited.link.token))
  expect('a count of opens', record?.state.opens === 2)
  const findings = await storage.upkeep.examine()
  expect(
    'the soundness of the file',
    findings.every(({ ok }) => ok !== false),
  )
  return losses
}

/**
 * Rotates once for each of its steps, each time on a new installation, with all changes made right before that step. Returns what was
 * lost at each step.
 */
async function rotateWithOthers(t: Test, replaceSecret?: ReplaceIn): Promise<readonly (readonly string[])[]> {
  const losses: string[][] = []
  for (;;) {
    const cwd = t.testdir()
    const scene = await stage(cwd)
    const { ports } = scene.installation
    const rewraps = { ...ports.rewraps, ...(replaceSecret && { replaceSecret: replaceSecret(cwd) }) }
    let step = 0
    let done: Promise<Intervention> | undefined
    const stepped = steppedRotation({ ...ports, rewraps }, () => {
      if (step++ !== losses.length) return undefined
      done = intervene(scene)
      return done.then(() => undefined)
    })
    expectOk(await rotateKeys(stepped))
    expectOk(await rotateKeys(steppedRotation(ports, () => undefined)))
    if (done !== undefined) losses.push(await lossesOf(scene, await done))
    await scene.installation.close()
    if (done === undefined) return losses
  }
}

type ReplaceIn = (cwd: string) => RewrapStore['replaceSecret']

// Promise (Sealed at rest): Changes during a rotation are not lost
t.test('a share, a create and an open between any two steps of a rotation are not lost', async (t) => {
  const losses = await rotateWithOthers(t)
  t.ok(losses.length >= 16, `${losses.length} steps`)
  t.strictSame(losses.flat(), [])
})

t.test('a rotation that does not compare what it replaces loses changes', async (t) => {
  const losses = (await rotateWithOthers(t, replaceBlindly)).flat()
  t.ok(losses.includes('the shared draft'), losses.join(', '))
})

/** Replaces a row without comparing what it holds now. */
const replaceBlindly: ReplaceIn =
  (cwd) =>
  ({ secret }, { kid, headCiphertext, wrappedKey }) => {
    withRaw(join(cwd, 'data', 'sotto.sqlite'), (db) => {
      const id = Buffer.from(secret.id.replaceAll('-', ''), 'hex')
      const { nr } = db.prepare('SELECT nr FROM secrets WHERE id = ?').get(id) as { nr: number }
      db.prepare('UPDATE secrets SET kid = ? WHERE nr = ?').run(kid, nr)
      db.prepare('UPDATE ciphertexts SET head = ? WHERE nr = ?').run(headCiphertext, nr)
      if (wrappedKey !== undefined)
        db.prepare('UPDATE ciphertexts SET wrap = ? WHERE nr = ?').run(wrappedKey, nr)
    })
    return okAsync(true)
  }
