import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FilePolicy } from '@sotto/core'
import { createSystemClock } from '@sotto/system'
import { createManualClock, expectOk } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import t from 'tap'
import { checkFiles } from '../../src/files/check-files.ts'
import { addSecretWithFiles, storedContents, upload } from '../support/files.ts'
import { addOwner, openIn } from '../support/installation.ts'

const files = [
  { name: 'a', content: Buffer.alloc(70_000) },
  { name: 'b', content: Buffer.alloc(3) },
]

// Promise (Installing and operating): `doctor` names files whose content is missing, and finds contents of no file
t.test('doctor names files whose content is missing, and counts contents that no file has', async (t) => {
  const cwd = t.testdir()
  const installation = await openIn(cwd)
  t.teardown(() => installation.close())
  const { storage, sotto } = installation
  const clock = createManualClock(createSystemClock().nowMicros())
  const check = () => checkFiles({ ...storage, clock })
  t.match(await check(), [{ check: 'files', ok: true, text: 'there are none' }])
  const owner = await addOwner(installation)
  const { id } = await addSecretWithFiles(installation, owner, files)
  t.match(await check(), [{ ok: true, text: '2 files have their content' }])
  // A sweep drops the contents of a spent secret before its rows.
  const spent = await addSecretWithFiles(installation, owner, files)
  expectOk(await sotto.destroySecret({ accountId: owner.accountId, id: spent.id }))
  const before = [...(await storedContents(installation)).keys()]
  for (const one of before.slice(2)) expectOk(await storage.fileContents.drop(one))
  t.match(await check(), [{ ok: true, text: '2 files have their content' }], 'as many as are on the disk')

  const [first = ''] = (await storedContents(installation)).keys()
  expectOk(await storage.fileContents.drop(first))
  const missing = `1 file has no content: ${first} of the secret or draft ${id}. Restore a backup that has it`
  t.match(await check(), [{ check: 'files', ok: false, text: missing }])
  await upload(installation, owner, files)
  t.match(await check(), [{ text: missing }], 'an upload of today may go on')
  clock.advance(25 * 3_600_000_000)
  t.match(await check(), [
    { text: missing },
    { ok: false, text: /^2 contents are of no file \(7\d\d\d\d bytes\)\. Run: sotto purge$/ },
  ])

  expectOk(await sotto.destroySecret({ accountId: owner.accountId, id }))
  t.match(await check(), [{ text: /^2 contents are of no file/ }], 'nobody needs the content any more')
  t.equal(readdirSync(join(cwd, 'data', 'files')).length > 0, true)
})

t.test('doctor says when so little is free on the disk of files that none is taken', async (t) => {
  const installation = await openIn(t.testdir())
  t.teardown(() => installation.close())
  const { storage } = installation
  const check = async (free: number | undefined, policy: Partial<FilePolicy> = {}) => {
    const fileContents = { ...storage.fileContents, freeBytes: () => okAsync(free) }
    const given = { maxBytes: 1, accountMaxBytes: 1, diskReserveBytes: 1_000, ...policy }
    const clock = createSystemClock()
    return (await checkFiles({ ...storage, fileContents, clock, policy: given })).map(({ ok }) => ok)
  }
  t.strictSame(await check(999), [false])
  for (const [free, policy] of [
    [1_000, {}],
    [undefined, {}],
    [0, { maxBytes: 0 }],
    [0, { diskReserveBytes: undefined }],
  ] as const)
    t.strictSame(await check(free, policy), [true])
})

t.test('at most ten files are named', async (t) => {
  const installation = await openIn(t.testdir())
  t.teardown(() => installation.close())
  const { storage } = installation
  const owner = await addOwner(installation)
  const secretIds: string[] = []
  for (let count = 0; count < 6; count += 1)
    secretIds.push((await addSecretWithFiles(installation, owner, files)).id)
  const ids = [...(await storedContents(installation)).keys()]
  for (const id of ids) expectOk(await storage.fileContents.drop(id))
  const [found] = await checkFiles({ ...storage, clock: createSystemClock() })
  const named = ids
    .slice(0, 10)
    .map((id, at) => `${id} of the secret or draft ${secretIds[Math.floor(at / 2)]}`)
  t.equal(found?.text, `12 files have no content: ${named.join(', ')}, …. Restore a backup that has it`)
})

t.test('files that cannot be read are a problem', async (t) => {
  const installation = await openIn(t.testdir())
  t.teardown(() => installation.close())
  const { secretFiles, fileContents } = installation.storage
  const page = () =>
    errAsync({ code: 'storage_unavailable', reason: 'disk_failed', detail: 'EACCES' } as const)
  const clock = createSystemClock()
  t.match(await checkFiles({ secretFiles, fileContents: { ...fileContents, page }, clock }), [
    { check: 'files', ok: false, text: 'they cannot be read (EACCES)' },
  ])
})
