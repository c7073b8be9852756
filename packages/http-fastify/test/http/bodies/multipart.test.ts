import { deepEqual } from 'node:assert/strict'
import { expectErr, expectOk } from '@sotto/test-kit'
import fc from 'fast-check'
import { err, ok } from 'neverthrow'
import t from 'tap'
import { readParts } from '../../../src/http/bodies/multipart.ts'
import {
  boundary,
  bytesOf,
  disposition,
  inPieces,
  multipartBody,
  type ReadPart,
} from '../../support/multipart.ts'

const malformed = { code: 'multipart_malformed' } as const

/** All parts of a body, or the error at which it ends. */
async function read(bytes: Uint8Array, lengths?: Iterable<number>): Promise<ReadPart[] | string> {
  const parts: ReadPart[] = []
  for await (const part of readParts(inPieces(bytes, lengths), boundary, malformed)) {
    if (part.isErr()) return part.error.code
    const { name, fileName, type, content } = part.value
    const pieces: Uint8Array[] = []
    for await (const piece of content) {
      if (piece.isErr()) return piece.error.code
      pieces.push(piece.value)
    }
    parts.push({ name, fileName, type, bytes: Buffer.concat(pieces) })
  }
  return parts
}

t.test('parts are read in their order, with what their headers say', async (t) => {
  const body = multipartBody([
    [[disposition('secret'), 'Content-Type: application/json'], '{"label":"é"}'],
    [[disposition('file', 'a.pdf'), 'content-type:  application/pdf; x=y '], 'PDF\r\n--'],
    [disposition('file', ''), ''],
  ])
  t.same(await read(body), [
    { name: 'secret', fileName: undefined, type: 'application/json', bytes: Buffer.from('{"label":"é"}') },
    { name: 'file', fileName: 'a.pdf', type: 'application/pdf; x=y', bytes: Buffer.from('PDF\r\n--') },
    { name: 'file', fileName: '', type: undefined, bytes: Buffer.alloc(0) },
  ])
})

t.test('what looks like the beginning of a boundary is content, wherever pieces end', async (t) => {
  const content = `\r\n--${boundary.slice(0, -1)}\r\r\n\r\n-\r\n--${boundary.slice(0, 5)}\r`
  const body = multipartBody([[disposition('file', 'a'), content]])
  for (let length = 1; length <= body.length; length += 1) {
    const parts = await read(
      body,
      Array.from({ length: body.length }, () => length),
    )
    t.same(parts, [{ name: 'file', fileName: 'a', type: undefined, bytes: Buffer.from(content) }])
  }
})

t.test('what another implementation writes is read, however it is cut', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 })
  // Of these no reader can tell whether they were escaped.
  const isTold = (name: string): boolean => !/[\p{Cc}\\]|%(?:22|0[ad])/iu.test(name)
  const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter(isTold)
  const parts = fc.array(fc.record({ name: names, fileName: names, bytes }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      parts,
      fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 60 }),
      async (sent, lengths) => {
        const form = new FormData()
        for (const { name, fileName, bytes } of sent)
          form.append(name, new Blob([bytes], { type: 'x/y' }), fileName)
        const written = new Response(form)
        const [, mark = ''] = /boundary=(.*)/.exec(written.headers.get('content-type') ?? '') ?? []
        const body = new Uint8Array(await written.arrayBuffer())
        const found: unknown[] = []
        for await (const part of readParts(inPieces(body, lengths), mark, malformed)) {
          const { name, fileName, content } = expectOk(part)
          found.push([name, fileName, new Uint8Array(await bytesOf(content))])
        }
        deepEqual(
          found,
          sent.map((each) => [each.name, each.fileName, each.bytes]),
        )
      },
    ),
  )
})

t.test('a body that another reader could take in another way is refused', async (t) => {
  const part = (...headers: string[]): Buffer => multipartBody([[headers, 'x']])
  const file = disposition('file', 'a')
  const afterBoundary = (text: string) =>
    Buffer.from(
      part(file)
        .toString()
        .replace(boundary, boundary + text),
    )
  const around = (before: string, after: string) =>
    Buffer.concat([Buffer.from(`${before}\r\n`), part(file), Buffer.from(after)])
  const bad: Readonly<Record<string, Uint8Array>> = {
    nothing: Buffer.alloc(0),
    'no boundary': Buffer.from('x'),
    'another boundary': Buffer.from(part(file).toString().replaceAll(boundary, 'other')),
    'something after the last one, in its line': Buffer.from(`${part(file).toString().trimEnd()} x`),
    'something after a boundary, in its line': afterBoundary('x'),
    'something after padding': afterBoundary(' \tx'),
    'a line break of another kind after padding': afterBoundary('\v'),
    'a boundary that goes on': afterBoundary('-x'),
    'too much before the first boundary': around('x'.repeat(1_025), ''),
    'too much after the last one': around('', 'x'.repeat(1_023)),
    'too much after a boundary': afterBoundary(' '.repeat(1_026)),
    'half an end': multipartBody([[file, 'x']], `--${boundary}-\r\n`),
    'bare line feeds': Buffer.from(part(file).toString().replaceAll('\r', '')),
    'no headers': Buffer.from(`--${boundary}\r\n\r\nx\r\n--${boundary}--\r\n`),
    'an empty line for headers': part(''),
    'no Content-Disposition': part('Content-Type: text/plain'),
    'a line that is no header': part(file, 'x'),
    'a header without a name': part(file, ': x'),
    'a space before the colon': part(file, 'x : y'),
    'a folded header': part(file, ' x'),
    'a bare line feed in a header': part(file, 'x: y\nz: x'),
    'NUL in a header': part(file, 'x: \0'),
    'a header twice': part(file, file),
    'another coding': part(file, 'Content-Transfer-Encoding: base64'),
  }
  for (const [name, body] of Object.entries(bad)) t.equal(await read(body), 'multipart_malformed', name)
})

// Promise (Files): A form is read as every program may write it that follows RFC 2046
t.test('what stands around the parts is skipped, however the body is cut', async (t) => {
  const body = multipartBody([
    [[disposition('secret')], '{}'],
    [disposition('file', 'a'), 'content'],
  ]).toString()
  const read1 = async (text: string): Promise<unknown> => {
    const bytes = Buffer.from(text)
    const whole = await read(bytes)
    t.same(await read(bytes, new Array<number>(bytes.length).fill(1)), whole, 'byte by byte')
    return whole
  }
  const expected = await read(Buffer.from(body))
  t.match(expected, [{ name: 'secret' }, { name: 'file' }])
  const written = [
    `\r\n${body}`,
    `This is a message in MIME format.\r\n\r\n--${boundary.slice(0, 5)}\r\n${body}`,
    `${'x'.repeat(1_022)}\r\n${body}`,
    `${body}\r\n`,
    `${body}an epilogue\r\n--${boundary}\r\nthat is no part`,
    body + 'x'.repeat(1_022),
    body.replaceAll(boundary, `${boundary} \t `).replace(` \t --`, '--'),
    body.replaceAll(`${boundary}\r\n`, `${boundary}${' '.repeat(1_024)}\r\n`),
    `${body.trimEnd()} \t\r\n`,
    `${body.trimEnd()}\t`,
  ]
  for (const text of written) t.same(await read1(text), expected, text.slice(0, 40))
})

t.test('a body without the line break at its end, and one without parts, are read', async (t) => {
  t.match(await read(multipartBody([[disposition('a'), 'x']], `--${boundary}--`)), [{ name: 'a' }])
  t.same(await read(multipartBody([])), [])
})

// Promise (Files): An upload that is broken off anywhere is refused, never taken for a whole one
t.test('a body that ends anywhere before its end is refused', async (t) => {
  const body = multipartBody([
    [disposition('secret'), '{}'],
    [disposition('file', 'a'), 'content'],
  ])
  for (let length = 0; length < body.length - 2; length += 1)
    t.equal(await read(body.subarray(0, length)), 'multipart_malformed', `${length} bytes`)
})

t.test('headers have at most 4 KiB', async (t) => {
  const start = `${disposition('file', 'a')}\r\nx: `
  const headers = (bytes: number): string => start + 'y'.repeat(bytes - start.length - 4)
  t.match(await read(multipartBody([[headers(4_096), 'x']])), [{ name: 'file' }])
  t.equal(await read(multipartBody([[headers(4_097), 'x']])), 'multipart_malformed')
  let given = 0
  async function* endless() {
    yield ok(Buffer.from(`--${boundary}\r\n${start}`))
    for (;;) yield await Promise.resolve(ok(Buffer.alloc((given += 1), 'y').subarray(0, 1)))
  }
  const first = await readParts(endless(), boundary, malformed).next()
  t.match(first.value && expectErr(first.value), { code: 'multipart_malformed' })
  t.ok(given < 4_100)
})

// Promise (Files): A form has 64 parts at most
t.test('a body has at most 64 parts', async (t) => {
  const parts = (count: number) => multipartBody(Array.from({ length: count }, () => [disposition('a'), 'x']))
  t.equal((await read(parts(64))).length, 64)
  t.equal(await read(parts(65)), 'multipart_malformed')
})

// Promise (Files): An upload waits for its reader: a piece is read when the one before was taken
t.test('a piece of the body is asked for when its reader has taken the one before', async (t) => {
  let given = 0
  async function* body() {
    yield ok(Buffer.from(`--${boundary}\r\n${disposition('file', 'a')}\r\n\r\n`))
    for (;;) yield await Promise.resolve(ok(Buffer.alloc(1_000 + (given += 1))))
  }
  const parts = readParts(body(), boundary, malformed)
  const part = expectOk((await parts.next()).value ?? ok(undefined))
  t.equal(given, 0)
  let expected = 0
  for await (const piece of part?.content ?? []) {
    expected += 1
    t.equal(expectOk(piece).length, 1_000 + expected)
    t.equal(given, expected)
    if (expected === 3) break
  }
})

t.test('what is not read of a part is passed over', async (t) => {
  const long = 'x'.repeat(1_000)
  const body = multipartBody(['a', 'b', 'c'].map((name) => [disposition(name), long]))
  const pieces: unknown[] = []
  const names: string[] = []
  for await (const part of readParts(inPieces(body, new Array<number>(99).fill(100)), boundary, malformed)) {
    const { name, content } = expectOk(part)
    names.push(name)
    // The second one is not looked at, the others are left after a piece.
    if (name !== 'b') for await (const piece of content) if (pieces.push(piece) > 0) break
  }
  t.same(names, ['a', 'b', 'c'])
  t.equal(pieces.length, 2)
})

t.test('an error of the body is the last thing that is read', async (t) => {
  async function* body() {
    yield await Promise.resolve(ok(Buffer.from(`--${boundary}\r\n${disposition('file', 'a')}\r\n\r\nx`)))
    yield err({ code: 'broken_off' })
  }
  const parts = readParts(body(), boundary, malformed)
  const part = expectOk((await parts.next()).value ?? ok(undefined))
  const pieces: unknown[] = []
  for await (const piece of part?.content ?? [])
    pieces.push(piece.isOk() ? piece.value.toString() : piece.error)
  t.same(pieces, ['x', { code: 'broken_off' }])
  t.ok((await parts.next()).value?.isErr())
  t.equal((await parts.next()).done, true)
})
