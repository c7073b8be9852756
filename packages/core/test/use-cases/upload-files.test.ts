import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { UploadBroken } from '../../src/errors.ts'
import type { FileStore } from '../../src/ports/file-store.ts'
import { dropUpload, uploadFiles, type NewFiles } from '../../src/use-cases/upload-files.ts'
import { arriving, brokenPieces, contentsOf, pieces, shareFiles, textOf, uploaded } from '../files.ts'
import { createWorld, dayMicros, newSecret, unknownId } from '../world.ts'

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
  t.match(upload, { accountId, accountMaxBytes: 250 })
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

// Promise (Files): The files of an account have as many bytes together as the installation allows
t.test('an upload is refused as soon as the account’s files have too many bytes together', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  await shareFiles(world, ['a'.repeat(100)])
  const sizes = async (...all: readonly number[]) =>
    uploadFiles(deps, {
      accountId,
      files: arriving(...all.map((size) => ({ name: 'a', text: 'a'.repeat(size) }))),
    })
  const before = contentsOf(world).length
  t.equal(expectOk(await sizes(100, 50)).files.length, 2, 'up to the limit')
  t.strictSame(expectErr(await sizes(100, 51)), { code: 'files_full', maxBytes: 250 })
  t.strictSame(
    expectErr(await sizes(101)),
    { code: 'file_too_large', maxBytes: 100, number: 1 },
    'whatever the sum is',
  )
  t.equal(contentsOf(world).length, before + 2)
  const bob = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' }))
  const theirs = arriving(...Array.from({ length: 2 }, () => ({ name: 'a', text: largest })))
  expectOk(await uploadFiles(deps, { accountId: bob.id, files: theirs }), 'another account')
})

t.test('an upload for a request that created its secret before is not refused for its sum', async (t) => {
  const world = await createWorld()
  const { deps, accountId, sotto } = world
  const idempotencyKey = 'order-1'
  const upload = await uploaded(world, [largest, largest])
  expectOk(await sotto.createSecretOnce({ ...newSecret(world), idempotencyKey, upload }))
  const again = (key: string | undefined, text: string) => {
    const files = arriving(...[text, text, 'a'.repeat(50)].map((each) => ({ name: 'a', text: each })))
    return uploadFiles(deps, { accountId, files, idempotencyKey: key })
  }
  expectOk(await again(idempotencyKey, largest))
  const full = { code: 'files_full', maxBytes: 250 }
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
    expectErr(await dropUpload({ fileContents: failing(deps.fileContents, { drop: busy }) }, other)),
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
