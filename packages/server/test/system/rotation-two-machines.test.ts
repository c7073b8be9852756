import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { rotateKeys } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { addOwner, addSecret, codeOf, openIn } from '../support/installation.ts'
import { startPostgres } from '../support/postgres.ts'
import { callApi, callerOf, createSecret, openLink } from '../support/requests.ts'
import { runSotto, spawnServer } from '../support/spawned.ts'
import { steppedRotation } from './support/stepped-rotation.ts'

/** Two machines with a key file each, and one database. */
async function twoMachines(t: Test) {
  const postgres = await startPostgres()
  const cwd = t.testdir({ one: {}, two: {} })
  const [one, two] = [join(cwd, 'one'), join(cwd, 'two')]
  const env = { ...postgres.env, SOTTO_LIMIT_PER_MINUTE: '100000', SOTTO_LIMIT_PER_DAY: '100000' }
  const copyKeys = (): void => {
    mkdirSync(join(two, 'keys'), { recursive: true, mode: 0o700 })
    copyFileSync(join(one, 'keys', 'sotto-keys.json'), join(two, 'keys', 'sotto-keys.json'))
  }
  return { one: { cwd: one, env }, two: { cwd: two, env }, env, copyKeys, query: postgres.query }
}

interface Key {
  readonly kid: number
  readonly waiting: boolean
  readonly rows: number
  readonly lacked_by: readonly { readonly name: string }[]
}

async function twoServers(t: Test) {
  const { one, two, copyKeys, query } = await twoMachines(t)
  const first = await spawnServer(t, one)
  copyKeys()
  const second = await spawnServer(t, two)
  const caller = callerOf(first)
  const callers = [caller, { ...caller, baseUrl: second.baseUrl }] as const
  const status = async (): Promise<readonly Key[]> =>
    JSON.parse((await runSotto(t, ['keys', 'status', '--json'], one)).stdout) as readonly Key[]
  /** The ports of the servers that lack a key. */
  const lackedBy = async (kid: number) =>
    (await status()).find((key) => key.kid === kid)?.lacked_by.map(({ name }) => name.replace(/.*:/, '')) ??
    []
  const lackedByOnly = async (
    kid: number,
    servers: readonly { readonly baseUrl: string }[],
  ): Promise<void> => {
    const ports = servers.map(({ baseUrl }) => new URL(baseUrl).port).join()
    while ((await lackedBy(kid)).join() !== ports);
  }
  return { one, two, first, second, callers, copyKeys, query, status, lackedByOnly }
}

// Promise (On PostgreSQL): No key becomes active that a running server lacks, and nothing is refused during a rotation
t.test('two servers with a key file each serve through both steps of a rotation', async (t) => {
  const { one, two, second, callers, copyKeys, status, lackedByOnly } = await twoServers(t)
  const created: { readonly path: string; readonly note: string }[] = []
  const load = new AbortController()
  const loading = callers.map(async (caller, at) => {
    for (let nr = 0; !load.signal.aborted; nr += 1) {
      const note = `note ${at} ${nr}`
      created.push({ note, path: (await createSecret(caller, { note })).path })
      await pause(100)
    }
  })
  t.match(await runSotto(t, ['keys', 'add'], one), {
    code: 0,
    stdout: /^Key 2 was added\. No row is written/,
  })
  await lackedByOnly(2, [second])
  const early = await openIn(one.cwd, { env: one.env })
  t.match(expectErr(await early.sotto.rotateKeys()), { code: 'key_not_everywhere', kid: 2 })
  await early.close()
  t.match((await status())[1], { kid: 2, waiting: true, rows: 0 })
  t.match(await runSotto(t, ['doctor'], one), { code: 1, stdout: /✗ keys: key 2 is missing on .*: copy/ })

  copyKeys()
  await lackedByOnly(2, [])
  const rotated = await runSotto(t, ['keys', 'rotate', '--json'], one)
  t.match(JSON.parse(rotated.stdout), { kid: 2, added: true, damaged: [] })
  t.match((await status())[0], { kid: 1, rows: 0 })
  for (const caller of callers) for (let nr = 0; nr < 5; nr += 1) await createSecret(caller)
  while (created.length <= 20) await pause(100)
  load.abort()
  await Promise.all(loading)
  t.match((await status())[0], { kid: 1, rows: 0 }, 'nothing was written under the old key since')
  for (const machine of [one, two])
    t.match(await runSotto(t, ['keys', 'retire', '1', '--yes'], machine), { code: 0 })
  for (const [at, { path, note }] of created.entries())
    t.equal((await openLink(callers[at % 2 === 0 ? 1 : 0].baseUrl, path)).note, note)
})

// Promise (On PostgreSQL): A server without the active key is not ready, answers 503, and writes nothing under an older one
t.test('a server that was cut off during a rotation is not ready until it has the key', async (t) => {
  const { one, two, callers, copyKeys, query, status } = await twoServers(t)
  const [caller, cutOff] = callers
  const installation = await openIn(one.cwd, { env: one.env })
  expectOk(await installation.sotto.addKey())
  // As if it had not been seen for a minute.
  for (let isRotated = false; !isRotated;) {
    await query('UPDATE servers SET seen_at = 0')
    isRotated = (await installation.sotto.rotateKeys()).isOk()
  }
  await installation.close()
  const { id, path } = await createSecret(caller)
  const ready = async (): Promise<number> => (await fetch(`${cutOff.baseUrl}/readyz`)).status
  while ((await ready()) !== 503);
  t.match(await callApi(cutOff, '/api/secret', { label: 'x', note: 'x', folder_id: cutOff.folderId }), {
    status: 503,
  })
  t.match(await callApi(cutOff, `/api/secret/${id}`), { status: 503 })
  t.equal((await openLink(cutOff.baseUrl, path)).status, 503)
  t.match((await status())[0], { kid: 1, rows: 0 })
  const restarted = await runSotto(t, ['serve'], two)
  t.match(restarted, { code: 1, stderr: /lacks key 2/ })
  copyKeys()
  while ((await ready()) !== 200);
  await createSecret(cutOff)
  t.equal((await openLink(cutOff.baseUrl, path)).status, 200)
  t.match((await status())[0], { kid: 1, rows: 0 })
})

// Promise (Sealed at rest): A rotation over several machines may be killed at each step
t.test('a rotation that is killed at any step, with two key files, is finished by another one', async (t) => {
  const { one, two, env, copyKeys } = await twoMachines(t)
  const first = await openIn(one.cwd, { env })
  const owner = await addOwner(first)
  const { link } = await addSecret(first, owner)
  copyKeys()
  const second = await openIn(two.cwd, { env })
  for (let step = 0, isKilled = true; isKilled; step += 1) {
    expectOk(await first.sotto.addKey())
    copyKeys()
    let left = step
    const killed = steppedRotation(first.ports, () => {
      if ((left -= 1) < 0) throw new Error('killed')
      return undefined
    })
    isKilled = await rotateKeys(killed).then(
      () => false,
      () => true,
    )
    for (const { sotto } of [first, second]) {
      t.equal(await codeOf(sotto.openSecret({ token: link.token })), 'ok', `step ${step}`)
      t.equal(
        await codeOf(sotto.renameFolder({ accountId: owner.accountId, id: owner.folderId, label: 'x' })),
        'ok',
      )
    }
    const { corrupted } = expectOk(await first.sotto.rotateKeys())
    t.strictSame(corrupted, [])
    // Where all rows had been moved, this was another rotation.
    copyKeys()
    const old = expectOk(await first.sotto.keyStatus()).filter((key) => !key.active && !key.waiting)
    t.strictSame(
      old.filter(({ rows }) => rows > 0),
      [],
      `no row is under an old key after step ${step}`,
    )
    for (const { kid } of old)
      for (const { sotto } of [first, second]) t.equal(await codeOf(sotto.retireKey({ kid })), 'ok')
    if (!isKilled) t.ok(step >= 12, `${step} steps`)
  }
  await first.close()
  await second.close()
})
