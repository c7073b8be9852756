import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expectErr, expectOk } from '@sotto/test-kit'
import { test } from 'tap'
import { sqliteDriver } from '../../src/identity.ts'
import { open, temporaryDir } from '../support/helpers.ts'

/** Puts a copy of a directory in its place, as one that is open goes on living elsewhere. */
function replace(dir: string): void {
  renameSync(dir, `${dir}.away`)
  cpSync(`${dir}.away`, dir, { recursive: true })
}

test('neither side of a move is finished in a file that its path no longer leads to', async (t) => {
  const dir = temporaryDir(t)
  const [from, to] = [join(dir, 'from'), join(dir, 'to')]
  const { instanceId, close } = await open(from)
  await close()
  const source = expectOk(await sqliteDriver({ dataDir: from }).openTransferSource({ to }))
  const options = { instanceId, sweptAtMicros: undefined, create: true }
  const target = expectOk(await sqliteDriver({ dataDir: to }).openTransferTarget(options))
  for (const place of [from, to]) replace(place)
  const moved = { code: 'storage_unavailable', reason: 'outcome_unknown' }
  t.match(expectErr(await source.leave()), moved)
  t.match(expectErr(await target.finish()), moved)
  await Promise.all([source.close(), target.close()])
})
