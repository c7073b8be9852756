import { expectErr, expectOk, noonMicros, noteBehind } from '@sotto/test-kit'
import { once } from 'node:events'
import { test } from 'tap'
import { createKeyCheck } from '../src/engine/key-check.ts'
import { createEngine } from '../src/engine/engine.ts'
import { openFile } from '../src/connection/open-file.ts'
import { mainSchema } from '../src/tables/schema.ts'
import { createSecrets } from '../src/secrets/secrets.ts'
import { copyAsCrashed, open, quiet, temporaryDir, wrongIn } from './support/helpers.ts'
import { startHelper } from './support/processes.ts'
import { addFolder } from './support/rows.ts'

test('what was acknowledged survives kill -9 completely', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { folder } = await addFolder(database)
  await database.close()

  const helper = await startHelper(t)
  const acknowledged: string[] = []
  const enough = new Promise<void>((resolve) =>
    helper.child.on('message', ({ added }: { added: string }) => {
      if (acknowledged.push(added) === 40) resolve()
    }),
  )
  helper.child.send({ task: 'addSecrets', args: [dir, folder.accountId, folder.id] })
  await enough
  helper.child.kill('SIGKILL')
  await once(helper.child, 'exit')

  const after = await open(dir)
  const stored = expectOk(
    await after.secrets.page({ accountId: folder.accountId, nowMicros: 0 }, undefined, 100_000),
  )
  const ids = new Set(stored.map(({ id }) => id))
  t.same(
    acknowledged.filter((id) => !ids.has(id)),
    [],
    'nothing that was acknowledged is missing',
  )
  const notes = await Promise.all(stored.map(({ link }) => noteBehind(after, link.lookup)))
  t.notOk(notes.includes(undefined), 'none lacks its note')
  t.same(await wrongIn(after), [])
  await after.close()
})

test('what was acknowledged is in the files at that time', async (t) => {
  const [dir, copy] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const secret = make.secret(folder)
  expectOk(await database.secrets.insert(secret, make.note()))
  copyAsCrashed(dir, copy, 'sotto.sqlite')
  await database.close()
  const after = await open(copy)
  t.equal(expectOk(await after.secrets.find(folder.accountId, secret.id, noonMicros))?.id, secret.id)
  await after.close()
})

test('a full disk is reported, loses nothing that was stored, and is over when there is room', async (t) => {
  const dir = temporaryDir(t)
  const options = { ...quiet, dataDir: dir, name: 'sotto.sqlite', schema: mainSchema } as const
  const first = await open(dir)
  const { make, folder } = await addFolder(first)
  await first.close()
  const file = expectOk(await openFile({ ...options, synchronous: 'FULL' }, (opened) => opened))
  const { connections } = file
  const secrets = createSecrets(connections, createEngine(connections), createKeyCheck(connections))
  const earlier = make.secret(folder)
  expectOk(await secrets.insert(earlier, make.note()))

  const pages = connections.db.pragma('page_count', { simple: true }) as number
  connections.db.pragma(`max_page_count = ${pages + 2}`)
  const big = make.secret(folder)
  t.same(expectErr(await secrets.insert(big, make.note(200_000))), {
    code: 'storage_unavailable',
    reason: 'full',
  })
  t.equal(expectOk(await secrets.find(folder.accountId, big.id, noonMicros)), undefined)
  t.equal(
    expectOk(await secrets.find(folder.accountId, earlier.id, noonMicros))?.id,
    earlier.id,
    'earlier rows are intact',
  )

  connections.db.pragma('max_page_count = 1000000')
  expectOk(await secrets.insert(big, make.note(200_000)))
  t.equal(
    expectOk(await secrets.find(folder.accountId, big.id, noonMicros))?.id,
    big.id,
    'there is room again',
  )
  t.equal(connections.db.pragma('integrity_check', { simple: true }), 'ok')
  await file.close()
})
