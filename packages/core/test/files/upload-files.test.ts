import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { UploadBroken } from '../../src/files/errors.ts'
import type { FilePolicy } from '../../src/policy.ts'
import type { FileStore } from '../../src/files/file-store.ts'
import { dropUpload, uploadFiles, type NewFiles } from '../../src/files/upload-files.ts'
import {
  arriving,
  brokenPieces,
  contentsOf,
  counted,
  pieces,
  shareFiles,
  textOf,
  uploaded,
} from '../files.ts'
import { createWorld, dayMicros, minuteMicros, newSecret, unknownId, type World } from '../world.ts'

const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
const largest = 'a'.repeat(100)
const busy = { code: 'storage_unavailable', reason: 'busy' } as const

t.test('an upload stores each content under a key of its own, for one secret that is to be', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const files = arriving(
    { name: 'a.txt', type: 'Text/Plain; charset=x' },
    { name: 'b', content: pieces() },
    { name: 'c', content: pieces('a', '', 'bc') },
  )
  const upload = expectOk(await uploadFiles(deps, { accountId, files }))
  const { secretId } = upload
  t.equal(upload.accountId, accountId)
  t.strictSame(
    upload.files.map(({ name, size, type }) => [name, size, type]),
    [
      ['a.txt', 3, 'text/plain'],
      ['b', 0, 'application/octet-stream'],
      ['c', 3, 'application/octet-stream'],
    ],
  )
  t.strictSame(
    upload.digests.map((digest) => digest === sha256OfAbc),
    [true, false, true],
  )
  t.equal(new Set(upload.files.map(({ key }) => key)).size, 3)
  t.strictSame(contentsOf(world), upload.files.map(({ id }) => id).toSorted())
  for (const [at, text] of ['abc', '', 'abc'].entries()) {
    const { id: fileId, key, size } = upload.files[at]!
    t.match(key, /^[\w-]{43}$/)
    const read = deps.fileCipher.decryptFile(
      { accountId, secretId, fileId },
      { key: Buffer.from(key, 'base64url'), size },
      { start: 0, end: size },
      (range) => deps.fileContents.read(fileId, range),
    )
    t.equal(await textOf(read), text)
  }
  const ofDraft = await uploaded(world, ['a'], { draft: { id: unknownId.toUpperCase(), filesCount: 0 } })
  t.equal(ofDraft.secretId, unknownId, 'for a draft')
  t.not(secretId, unknownId)
})

// Promise (Files): Memory is bounded whatever the size: nothing is read that is not being written
t.test('a piece is asked for only when the store takes one', async (t) => {
  const { deps, accountId } = await createWorld()
  const log: string[] = []
  const content = async function* () {
    for (const text of ['a', 'b', 'c']) {
      log.push(`reads ${text}`)
      yield await Promise.resolve(ok(Buffer.from(text)))
    }
  }
  const files = async function* (): NewFiles {
    for (const name of ['one', 'two']) {
      log.push(name)
      yield await Promise.resolve(ok({ name, content: content() }))
    }
  }
  const fileCipher: typeof deps.fileCipher = {
    ...deps.fileCipher,
    encryptFile: (_place, _key, plain) => plain,
  }
  const fileContents: FileStore = {
    ...deps.fileContents,
    append: (_id, stored) =>
      new ResultAsync(
        (async () => {
          for await (const piece of stored) log.push(`writes ${Buffer.from(expectOk(piece)).toString()}`)
          return ok()
        })(),
      ),
  }
  expectOk(await uploadFiles({ ...deps, fileCipher, fileContents }, { accountId, files: files() }))
  const one = ['a', 'b', 'c'].flatMap((text) => [`reads ${text}`, `writes ${text}`])
  t.strictSame(log, ['one', ...one, 'two', ...one])
})

// Promise (Files): A file has as many bytes as the installation allows, and not one more
t.test('a file is too large with the first byte above the limit, and no more of it is read', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const upload = (...texts: readonly string[]) => {
    const { content, read } = readPieces(texts)
    const files = arriving({ name: 'a', content })
    return { read, done: uploadFiles(deps, { accountId, files }) }
  }
  const exact = upload(largest.slice(1), 'a')
  t.equal(expectOk(await exact.done).files[0]?.size, 100)
  const before = contentsOf(world)
  const over = upload(largest, 'a', 'never read')
  t.strictSame(expectErr(await over.done), { code: 'file_too_large', maxBytes: 100, number: 1 })
  t.strictSame(over.read, { pieces: 2, isLeft: true })
  t.strictSame(contentsOf(world), before, 'nothing of it stays')
})

t.test('when what gives the files throws, nothing of them stays', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const files = async function* (): NewFiles {
    yield* arriving({ name: 'a' }, { name: 'b' })
    throw new Error('defect')
  }
  await t.rejects(async () => uploadFiles(deps, { accountId, files: files() }), { message: 'defect' })
  t.strictSame(contentsOf(world), [])
})

/** Deps whose account may have so many files. */
function withSpaceFor(world: World, files: number, more: Partial<FilePolicy> = {}) {
  const policy = { ...world.deps.policy.files!, accountMaxBytes: files * counted, ...more }
  return { ...world.deps, policy: { files: policy } }
}

// Promise (Files): The files of an account count as many bytes together as the installation allows, those that arrive included
t.test('an upload is refused as soon as the account’s files count too much together', async (t) => {
  const world = await createWorld()
  const { accountId } = world
  const deps = withSpaceFor(world, 4)
  await shareFiles(world, ['a'])
  const sizes = async (...all: readonly number[]) =>
    uploadFiles(deps, {
      accountId,
      files: arriving(...all.map((size) => ({ name: 'a', text: 'a'.repeat(size) }))),
    })
  t.strictSame(expectErr(await sizes(0, 1, 0, 1)), { code: 'files_full', maxBytes: 4 * counted })
  t.equal(contentsOf(world).length, 1, 'nothing of them stays')
  t.equal(expectOk(await world.sotto.fileUsage({ accountId })).usedBytes, counted, 'nor counts')
  t.equal(expectOk(await sizes(0, 1, 100)).files.length, 3, 'up to the limit')
  t.strictSame(
    expectErr(await sizes(0)),
    { code: 'files_full', maxBytes: 4 * counted },
    'those that arrive count',
  )
  const bob = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' }))
  const theirs = arriving(...Array.from({ length: 4 }, () => ({ name: 'a', text: largest })))
  expectOk(await uploadFiles(deps, { accountId: bob.id, files: theirs }), 'another account')
})

t.test('a file counts what is stored of it, and while it arrives about as much again', async (t) => {
  const world = await createWorld()
  const { accountId, deps: plain } = world
  const deps = withSpaceFor(world, 0, { maxBytes: 10_000_000, accountMaxBytes: 3_000_000 })
  const used = async () => expectOk(await world.sotto.fileUsage({ accountId })).usedBytes
  const seen: number[] = []
  const content = async function* () {
    for (let at = 0; at < 20; at += 1) {
      yield await Promise.resolve(ok(Buffer.alloc(50_000)))
      seen.push(await used())
    }
  }
  // The fake cipher reads all of a content before it yields.
  const fileCipher: typeof plain.fileCipher = { ...plain.fileCipher, encryptFile: (_place, _key, all) => all }
  expectOk(
    await uploadFiles(
      { ...deps, fileCipher },
      { accountId, files: arriving({ name: 'a', content: content() }) },
    ),
  )
  for (const [at, counts] of seen.entries()) {
    const arrived = (at + 1) * 50_000
    t.ok(counts >= arrived && counts <= 2 * arrived * 1.2 + 70_000, `${arrived}: ${counts}`)
  }
  t.ok(new Set(seen).size < 8, 'with few writes')
  const stored = plain.fileCipher.storedLength(1_000_000)
  t.equal(await used(), stored, 'in the end exactly')
  const rest = 3_000_000 - stored
  const largestLeft = Array.from({ length: 40 }, (_, at) => (at + 1) * 50_000).findLast(
    (size) => plain.fileCipher.storedLength(size) <= rest,
  )!
  const upload = (size: number) =>
    uploadFiles(deps, { accountId, files: arriving({ name: 'a', text: 'a'.repeat(size) }) })
  expectErr(await upload(rest), 'files_full')
  expectOk(await upload(largestLeft), 'less than is reserved at once is enough, where it is enough')
})

t.test('an upload is refused while less than its reserve would stay free on the disk', async (t) => {
  const world = await createWorld()
  const { accountId, deps: plain } = world
  const upload = (free: number | undefined, diskReserveBytes?: number) => {
    const fileContents = { ...plain.fileContents, freeBytes: () => okAsync(free) }
    const deps = { ...withSpaceFor(world, 100, { diskReserveBytes }), fileContents }
    return uploadFiles(deps, { accountId, files: arriving({ name: 'a' }) })
  }
  t.strictSame(expectErr(await upload(10_000 + counted - 1, 10_000)), { code: 'disk_full' })
  t.strictSame(contentsOf(world), [])
  expectOk(await upload(10_000 + counted, 10_000))
  t.strictSame(expectErr(await upload(counted - 1)), { code: 'disk_full' }, 'without a reserve')
  expectOk(await upload(undefined, 10_000), 'of an unknown disk')
  const deps = withSpaceFor(world, 100)
  const full = { code: 'storage_unavailable', reason: 'full' } as const
  for (const broken of [
    { ...deps, fileContents: failing(plain.fileContents, { append: full }) },
    { ...deps, secretFiles: failing(plain.secretFiles, { reserve: full }) },
  ]) {
    const refused = await uploadFiles(broken, { accountId, files: arriving({ name: 'a' }) })
    t.strictSame(expectErr(refused), { code: 'disk_full' })
  }
  const failed = { ...deps, fileContents: failing(plain.fileContents, { freeBytes: busy }) }
  t.strictSame(expectErr(await uploadFiles(failed, { accountId, files: arriving({ name: 'a' }) })), busy)
})

t.test('files that arrive count as long as they arrive, and five minutes more', async (t) => {
  const world = await createWorld()
  const { deps, accountId, sotto } = world
  const slowly = async function* (): AsyncGenerator<Result<Uint8Array, UploadBroken>, void> {
    for (let minutes = 0; minutes < 20; minutes += 2) {
      deps.clock.advance(2 * minuteMicros)
      t.equal(expectOk(await sotto.sweepFiles()).orphans, 0)
      yield await Promise.resolve(ok(Buffer.from('a')))
    }
  }
  const files = arriving({ name: 'first' }, { name: 'slow', content: slowly() })
  const upload = expectOk(await uploadFiles(deps, { accountId, files }))
  deps.clock.advance(5 * minuteMicros - 1)
  t.equal(expectOk(await sotto.sweepFiles()).orphans, 0)
  deps.clock.advance(1)
  t.equal(expectOk(await sotto.sweepFiles()).orphans, 2, 'as when its process was killed')
  t.strictSame([contentsOf(world), expectOk(await sotto.fileUsage({ accountId })).usedBytes], [[], 0])
  expectErr(await sotto.createSecret({ ...newSecret(world), upload }), 'storage_unavailable')
})

t.test('an upload for a request that created its secret before is read, and not stored', async (t) => {
  const world = await createWorld()
  const { accountId, sotto } = world
  const deps = withSpaceFor(world, 2)
  const idempotencyKey = 'order-1'
  const upload = await uploaded(world, [largest, largest])
  expectOk(await sotto.createSecretOnce({ ...newSecret(world), idempotencyKey, upload }))
  const before = contentsOf(world)
  const again = (key: string | undefined, text: string) => {
    const files = arriving(...[text, text].map((each) => ({ name: text, type: 'text/plain', text: each })))
    return uploadFiles(deps, { accountId, files, idempotencyKey: key })
  }
  const repeated = expectOk(await again(idempotencyKey, largest))
  t.strictSame(contentsOf(world), before)
  t.strictSame([repeated.digests, repeated.files.map(({ size }) => size)], [upload.digests, [100, 100]])
  const replayed = await sotto.createSecretOnce({ ...newSecret(world), idempotencyKey, upload: repeated })
  t.equal(expectOk(replayed).isReplayed, true)
  const changed = expectOk(await again(idempotencyKey, 'other'))
  const other = { ...newSecret(world), idempotencyKey, upload: changed }
  expectErr(await sotto.createSecretOnce(other), 'idempotency_key_reused')
  t.strictSame(expectErr(await again(idempotencyKey, `${largest}a`)), {
    code: 'file_too_large',
    maxBytes: 100,
    number: 1,
  })
  const broken = arriving({ name: 'cut', content: brokenPieces() })
  const cut = await uploadFiles(deps, { accountId, files: broken, idempotencyKey })
  t.strictSame(expectErr(cut), { code: 'upload_broken' })
  const full = { code: 'files_full', maxBytes: 2 * counted }
  for (const key of [undefined, 'order-2']) t.strictSame(expectErr(await again(key, largest)), full)
  deps.clock.advance(dayMicros)
  t.strictSame(expectErr(await again(idempotencyKey, largest)), full, 'once the key is forgotten')
})

// Promise (Files): A secret is never created with a content that a sweep has dropped, however long its upload takes
t.test('an upload that takes longer than 12 hours is refused', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const upload = (micros: number) => {
    const files = async function* (): NewFiles {
      yield* arriving({ name: 'first' })
      deps.clock.advance(micros)
      yield* arriving({ name: 'last' })
    }
    return uploadFiles(deps, { accountId, files: files() })
  }
  expectOk(await upload(dayMicros / 2))
  const before = contentsOf(world)
  t.strictSame(expectErr(await upload(dayMicros / 2 + 1)), { code: 'upload_broken' })
  t.strictSame(contentsOf(world), before, 'nothing stays')
})

t.test('a secret has at most ten files, each with a name that is one', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const names = Array.from({ length: 10 }, (_, at) => String(at))
  t.equal((await uploaded(world, names)).files.length, 10)
  t.equal((await uploaded(world, ['a'], { draft: { id: unknownId, filesCount: 9 } })).files.length, 1)
  const before = contentsOf(world)
  const refusal = async (asked: readonly string[], filesCount?: number) => {
    const draft = filesCount === undefined ? undefined : { id: unknownId, filesCount }
    const files = arriving(...asked.map((name) => ({ name })))
    return expectErr(await uploadFiles(deps, { accountId, draft, files }), 'fields_invalid').errors
  }
  const tooMany = [{ field: 'files', rule: 'too_many', limit: 10 }] as const
  t.strictSame(await refusal([...names, '10']), tooMany)
  t.strictSame(await refusal(['a'], 10), tooMany, 'with those that the draft has')
  t.strictSame(await refusal(['good', 'a/b']), [{ field: 'files', rule: 'not_a_file_name' }])
  t.strictSame(await refusal(['']), [{ field: 'files', rule: 'empty' }])
  t.strictSame(await refusal(['a'.repeat(256)]), [{ field: 'files', rule: 'too_long', limit: 255 }])
  t.strictSame(contentsOf(world), before, 'nothing stays')
})

// Promise (Files): A broken upload leaves nothing
t.test('an upload that breaks leaves nothing, whenever it does', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const broken = { code: 'upload_broken' }
  const before = async function* (): NewFiles {
    yield* arriving({ name: 'whole' })
    yield await Promise.resolve(err({ code: 'upload_broken' } as const))
  }
  for (const files of [
    before(),
    arriving({ name: 'whole' }, { name: 'cut', content: brokenPieces() }),
    arriving({ name: 'cut', content: brokenPieces() }, { name: 'never read' }),
  ]) {
    t.strictSame(expectErr(await uploadFiles(deps, { accountId, files })), broken)
    t.strictSame(contentsOf(world), [])
  }
})

t.test('a store that fails ends the upload, and nothing more is read', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const { content, read } = readPieces(['a', 'b'])
  let appended = 0
  const fileContents: FileStore = {
    ...deps.fileContents,
    append: (id, stored) =>
      (appended += 1) === 1 ? deps.fileContents.append(id, stored) : new ResultAsync(takeOne(stored)),
  }
  const files = arriving({ name: 'whole' }, { name: 'half', content }, { name: 'never asked for' })
  const fileCipher: typeof deps.fileCipher = {
    ...deps.fileCipher,
    encryptFile: (_place, _key, plain) => plain,
  }
  t.strictSame(
    expectErr(await uploadFiles({ ...deps, fileCipher, fileContents }, { accountId, files })),
    busy,
  )
  t.strictSame(read, { pieces: 1, isLeft: true })
  t.equal(appended, 2)
  t.strictSame(contentsOf(world), [])
  const undroppable = failing(deps.fileContents, { drop: busy })
  const broken = arriving({ name: 'whole' }, { name: 'cut', content: brokenPieces() })
  const refused = await uploadFiles({ ...deps, fileContents: undroppable }, { accountId, files: broken })
  t.strictSame(expectErr(refused), { code: 'upload_broken' }, 'the first error counts')
  t.equal(contentsOf(world).length, 1, 'for a sweep')
})

t.test('where files are off nothing is read', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  for (const files of [undefined, { maxBytes: 0, accountMaxBytes: 250 }]) {
    const never = async function* (): NewFiles {
      yield await Promise.reject(new Error('read'))
    }
    const refused = await uploadFiles({ ...deps, policy: { files } }, { accountId, files: never() })
    t.strictSame(expectErr(refused), { code: 'files_off' })
  }
})

t.test('what is dropped is gone, and another upload stays', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const upload = await uploaded(world, ['a', 'b'])
  const other = await uploaded(world, ['c'])
  expectOk(await sotto.dropUpload(upload))
  t.strictSame(contentsOf(world), [other.files[0]?.id])
  t.strictSame(
    expectErr(await dropUpload({ ...deps, fileContents: failing(deps.fileContents, { drop: busy }) }, other)),
    busy,
  )
})

/** Pieces, and how many of them were read, and whether the reader has left them. */
function readPieces(texts: readonly string[]) {
  const read = { pieces: 0, isLeft: false }
  const content = async function* (): AsyncGenerator<Result<Uint8Array, UploadBroken>, void> {
    try {
      for await (const piece of pieces(...texts)) {
        read.pieces += 1
        yield piece
      }
    } finally {
      read.isLeft = true
    }
  }
  return { content: content(), read }
}

/** Takes one piece, then fails. */
async function takeOne<E>(stored: AsyncIterable<Result<Uint8Array, E>>): Promise<Result<void, typeof busy>> {
  for await (const _ of stored) return err(busy)
  return ok()
}
