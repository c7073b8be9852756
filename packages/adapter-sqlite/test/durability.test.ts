import { once } from 'node:events'
import { ResultAsync } from 'neverthrow'
import { test } from 'tap'
import { createKeyCheck } from '../src/key-check.ts'
import { silent } from '../src/log.ts'
import { openFile } from '../src/opening.ts'
import { mainSchema } from '../src/schema.ts'
import { createSecrets } from '../src/secrets.ts'
import { copyAsCrashed, errOf, okOf, open, temporaryDir } from './helpers.ts'
import { startHelper } from './processes.ts'
import { addFolder } from './rows.ts'

test('what was acknowledged survives kill -9, with all that belongs to it', async (t) => {
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
  const kept = await okOf(after.secrets.slice(folder.accountId, 0, undefined, 100_000))
  const ids = new Set(kept.map(({ id }) => id))
  t.same(
    acknowledged.filter((id) => !ids.has(id)),
    [],
    'nothing that was acknowledged is missing',
  )
  const notes = await Promise.all(kept.map(({ link }) => okOf(after.links.findWithNote(link.lookup))))
  t.notOk(notes.includes(undefined), 'none lacks its note')
  t.same((await okOf(after.upkeep.inspect())).faults, [])
  await after.close()
})

test('what was acknowledged is in the files at that moment', async (t) => {
  const [dir, copy] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const secret = make.secret(folder)
  await okOf(database.secrets.insert(secret, make.note()))
  copyAsCrashed(dir, copy, 'sotto.sqlite')
  await database.close()
  const after = await open(copy)
  t.equal((await okOf(after.secrets.find(folder.accountId, secret.id)))?.id, secret.id)
  await after.close()
})

test('a full disk is told of, costs nothing that was kept, and ends when there is room', async (t) => {
  const dir = temporaryDir(t)
  const options = {
    dataDir: dir,
    name: 'sotto.sqlite',
    schema: mainSchema,
    onFatal: () => undefined,
    log: silent,
  }
  const first = await open(dir)
  const { make, folder } = await addFolder(first)
  await first.close()
  const file = await okOf(new ResultAsync(openFile({ ...options, synchronous: 'FULL' }, (opened) => opened)))
  const { storage } = file
  const secrets = createSecrets(storage, createKeyCheck(storage))
  const kept = make.secret(folder)
  await okOf(secrets.insert(kept, make.note()))

  const pages = storage.writer.pragma('page_count', { simple: true }) as number
  storage.writer.pragma(`max_page_count = ${pages + 2}`)
  const big = make.secret(folder)
  t.same(await errOf(secrets.insert(big, make.note(200_000))), {
    code: 'storage_unavailable',
    reason: 'full',
  })
  t.equal(await okOf(secrets.find(folder.accountId, big.id)), undefined)
  t.equal((await okOf(secrets.find(folder.accountId, kept.id)))?.id, kept.id, 'earlier rows are intact')

  storage.writer.pragma('max_page_count = 1000000')
  await okOf(secrets.insert(big, make.note(200_000)))
  t.equal((await okOf(secrets.find(folder.accountId, big.id)))?.id, big.id, 'there is room again')
  t.equal(storage.reader.pragma('integrity_check', { simple: true }), 'ok')
  await file.close()
})
