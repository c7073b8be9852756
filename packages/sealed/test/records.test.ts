import { createHash } from 'node:crypto'
import { decrypt, encrypt } from 'http_ece'
import t from 'tap'
import { sealedFileBytes, Undecryptable } from '../src/index.ts'
import { openRecord, readRecord, sealRecord } from '../src/records.ts'
import { counted, fromBase64url, toBase64url } from './support/bytes.ts'
import { readVectors } from './support/read-vectors.ts'
import { opened, sealed } from './support/streams.ts'

const key = counted(16)
const salt = counted(176).slice(160)
const { files } = readVectors()
const recordBytes = 65_536

t.test('a record is padded, is read with its secret, and differs each time', async (t) => {
  const content = new TextEncoder().encode('héllo')
  const [one, other] = [await sealRecord(key, content), await sealRecord(key, content)]
  t.equal(one.length, 21 + 256 + 16)
  t.not(toBase64url(one), toBase64url(other))
  t.strictSame(await openRecord(one, () => Promise.resolve(key)), content)
  t.equal(await openRecord(one, () => Promise.resolve(counted(17).slice(1))), undefined)
  t.equal(await openRecord(one, () => Promise.resolve(undefined)), undefined)
})

// The lengths are those of Padmé, from the table of the paper: 12 % more at most.
for (const [length, padded] of [
  ...[
    [0, 256],
    [255, 256],
    [256, 272],
    [271, 272],
    [1_000, 1_024],
    [1_023, 1_024],
    [1_024, 1_088],
    [65_535, 65_536],
    [65_536, 67_584],
  ],
] as const)
  t.test(`a content of ${length} bytes takes ${padded} with its end`, async (t) => {
    const record = await sealRecord(key, counted(length))
    t.equal(record.length, 21 + padded + 16)
    t.equal(new DataView(record.buffer).getUint32(16), padded + 16)
  })

t.test(
  'another program reads a record, and what it writes is read when it is padded in the same way',
  async (t) => {
    const content = Buffer.from('from elsewhere')
    const parameters = { version: 'aes128gcm', key: Buffer.from(key) } as const
    t.strictSame(decrypt(Buffer.from(await sealRecord(key, new Uint8Array(content))), parameters), content)
    const written = (paddedTo: number, rs: number) =>
      new Uint8Array(encrypt(content, { ...parameters, rs, pad: paddedTo - content.length - 1 }))
    const read = (record: Uint8Array<ArrayBuffer>) => openRecord(record, () => Promise.resolve(key))
    t.strictSame(await read(written(256, 272)), new Uint8Array(content))
    t.equal(await read(written(255, 271)), undefined, 'less padding')
    t.equal(await read(written(264, 280)), undefined, 'more padding')
    t.equal(await read(written(256, 4_096)), undefined, 'another record size')
  },
)

for (const { size, sealedSize, sha256 } of files)
  t.test(
    `a file of ${size} bytes is sealed as everywhere, and read again by us and by another program`,
    async (t) => {
      const file = await sealed(key, counted(size), salt)
      t.equal(file.length, sealedSize)
      t.equal(sealedFileBytes(size), sealedSize)
      t.equal(createHash('sha256').update(file).digest('base64url'), sha256)
      for (const pieceBytes of [7_001, recordBytes, 10_000_000])
        t.strictSame(await opened(key, size, file, pieceBytes), counted(size))
      t.strictSame(
        new Uint8Array(decrypt(Buffer.from(file), { version: 'aes128gcm', key: Buffer.from(key) })),
        counted(size),
      )
    },
  )

t.test('a file that another program wrote is read', async (t) => {
  const file = encrypt(Buffer.from(counted(200_000)), {
    ...({ version: 'aes128gcm', rs: recordBytes } as const),
    key: Buffer.from(key),
  })
  t.strictSame(await opened(key, 200_000, new Uint8Array(file)), counted(200_000))
})

t.test('only the whole file is read: nothing cut, added, exchanged or of another size', async (t) => {
  const size = 3 * 65_519 + 5
  const file = await sealed(key, counted(size))
  const head = file.subarray(0, 21)
  const record = (number: number) => file.subarray(21 + number * recordBytes, 21 + (number + 1) * recordBytes)
  const of = async (...parts: readonly Uint8Array[]) =>
    new Uint8Array(await new Blob(parts.map((part) => part.slice())).arrayBuffer())
  const attempts: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
    'without its last byte': file.slice(0, -1),
    'without its last record': await of(head, record(0), record(1), record(2)),
    'with its head alone': file.slice(0, 21),
    'cut within its head': file.slice(0, 20),
    empty: new Uint8Array(),
    'with a byte more': await of(file, counted(1)),
    'with its last record twice': await of(file, record(3)),
    'with two records exchanged': await of(head, record(1), record(0), record(2), record(3)),
    'without a record within': await of(head, record(0), record(2), record(3)),
    'with another record size': await of(
      head.slice(0, 16),
      Uint8Array.of(0, 0, 255, 255, 0),
      file.subarray(21),
    ),
    'with a key id': await of(head.slice(0, 20), Uint8Array.of(1, 7), file.subarray(21)),
  }
  for (const [what, bytes] of Object.entries(attempts))
    await t.rejects(opened(key, size, bytes), Undecryptable, what)
  for (const other of [size - 1, size + 1, 0])
    await t.rejects(opened(key, other, file), Undecryptable, `as ${other} bytes`)
  await t.rejects(opened(counted(17).slice(1), size, file), Undecryptable, 'with another key')
  t.strictSame(await opened(key, size, file), counted(size), 'unchanged')
})

t.test(
  'the example of RFC 8188, section 3.1, is decrypted, and refused where a padded text is expected',
  async (t) => {
    const body = fromBase64url('I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg')
    const secretOf = () => Promise.resolve(fromBase64url('yqdlZ-tYemfogSmv7Ws5PQ'))
    t.equal(String(Buffer.from((await readRecord(body, secretOf)) ?? [])), 'I am the walrus')
    t.equal(await openRecord(body, secretOf), undefined)
  },
)
