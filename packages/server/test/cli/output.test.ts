import { PassThrough, Writable } from 'node:stream'
import { err, ok, type Result } from 'neverthrow'
import t from 'tap'
import { createOutput, type ListLayout } from '../../src/cli/output.ts'
import { printable, printableLines } from '../../src/shared/printable.ts'

interface Row {
  readonly id: number
  readonly label: string
}

const layout: ListLayout<Row> = {
  columns: [
    { title: 'ID', width: 4, text: ({ id }) => String(id) },
    { title: 'LABEL', text: ({ label }) => label },
  ],
  json: ({ id, label }) => ({ id, label }),
}

async function* pagesOf(...parts: Result<readonly Row[], string>[]) {
  for (const part of parts) yield part.map((items) => ({ items, corrupted: [] }))
}

async function listed(json: boolean, ...parts: Result<readonly Row[], string>[]) {
  const stdout = new PassThrough()
  const result = await createOutput(stdout, { json }).list(pagesOf(...parts), layout)
  stdout.end()
  return { result, text: (await stdout.toArray()).join('') }
}

const one = { id: 1, label: 'one' }
const two = { id: 2, label: 'two\u001b[31m' }

t.test('a list in JSON is one document, however many pages it has', async (t) => {
  for (const parts of [[], [[]], [[one]], [[one], [two]], [[one, two], []], [[], [one], [], [two]]]) {
    const { result, text } = await listed(true, ...parts.map((rows) => ok<Row[], string>(rows)))
    t.ok(result.isOk())
    t.strictSame(JSON.parse(text), parts.flat())
    t.ok(text.endsWith(']\n'))
  }
})

t.test('a list as text is a table, and its texts contain no terminal controls', async (t) => {
  const { text } = await listed(false, ok([one]), ok([two]))
  t.equal(text, 'ID    LABEL\n1     one\n2     two\\u{1b}[31m\n')
  t.equal((await listed(false, ok([]))).text, 'ID    LABEL\n', 'also when it is empty')
})

t.test('a row of a table has 100 characters at most, unless its last text is needed whole', async (t) => {
  const long = { id: 3, label: `${'ä'.repeat(93)}🔑${'b'.repeat(50)}` }
  t.equal((await listed(false, ok([long]))).text, `ID    LABEL\n3     ${'ä'.repeat(93)}…\n`)
  const [id, label] = layout.columns
  const stdout = new PassThrough()
  const listing = await createOutput(stdout, { json: false }).list(pagesOf(ok([long])), {
    ...layout,
    columns: [id!, { ...label!, isWhole: true }],
  })
  t.ok(listing.isOk())
  stdout.end()
  t.equal((await stdout.toArray()).join(''), `ID    LABEL\n3     ${long.label}\n`)
})

t.test('a list that fails on the way is an error, and its JSON is incomplete', async (t) => {
  const { result, text } = await listed(true, ok([one]), err('broken'))
  t.equal(result.isErr() && result.error, 'broken')
  t.throws(() => void JSON.parse(text))
})

t.test('corrupted rows are left out and reported, and the rest of the list is complete', async (t) => {
  const corruption = (id: string) => ({ code: 'data_damaged', what: 'folder.label', id }) as const
  async function* pages() {
    yield ok({ items: [one], corrupted: [corruption('a')] })
    yield ok({ items: [two], corrupted: [corruption('b'), corruption('c')] })
  }
  const stdout = new PassThrough()
  const reported: string[] = []
  const output = createOutput(stdout, { json: true, onCorruption: ({ id }) => void reported.push(id) })
  const result = await output.list(pages(), layout)
  t.strictSame(result.isErr() && result.error, { code: 'rows_damaged', rows: 3 })
  t.strictSame(reported, ['a', 'b', 'c'])
  stdout.end()
  t.strictSame(JSON.parse((await stdout.toArray()).join('')), [one, two])
})

t.test('an answer is a line of text or one document', async (t) => {
  for (const [json, written] of [
    [false, 'the text\n'],
    [true, '{"a":1}\n'],
  ] as const) {
    const stdout = new PassThrough()
    const answered = await createOutput(stdout, { json }).answer({ text: 'the text', json: { a: 1 } })
    t.ok(answered.isOk())
    stdout.end()
    t.equal((await stdout.toArray()).join(''), written)
  }
})

/** A standard output on which every write after the first `writes` fails. */
function failingOutput(code: string, writes = 0) {
  let left = writes
  const stdout = new Writable({
    write: (_chunk, _encoding, done) =>
      done((left -= 1) < 0 ? Object.assign(new Error(code), { code }) : null),
  })
  stdout.on('error', () => {})
  return createOutput(stdout, { json: true })
}

t.test('a closed standard output ends a list, and is an error for an answer', async (t) => {
  const list = await failingOutput('EPIPE').list(pagesOf(ok([one])), layout)
  t.ok(list.isOk())
  const answer = await failingOutput('EPIPE').answer({ text: '', json: {} })
  t.equal(answer.isErr() && answer.error.code, 'output_lost')
})

t.test('a list that a full disk cuts off is an error', async (t) => {
  for (const writes of [0, 1, 2]) {
    const list = await failingOutput('ENOSPC', writes).list(pagesOf(ok([one]), ok([two])), layout)
    t.strictSame(list.isErr() && list.error, { code: 'output_lost' }, `after ${writes} writes`)
  }
  t.ok((await failingOutput('ENOSPC', 3).list(pagesOf(ok([one]), ok([two])), layout)).isOk())
})

t.test('JSON has no control characters, whatever its texts have', async (t) => {
  const label = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join('')
  const listedText = (await listed(true, ok([{ id: 1, label }]))).text
  const stdout = new PassThrough()
  t.ok((await createOutput(stdout, { json: true }).answer({ text: '', json: label })).isOk())
  const answered = String(stdout.read())
  for (const text of [listedText, answered]) t.notMatch(text.replaceAll('\n', ''), /\p{Cc}/u)
  t.strictSame(JSON.parse(listedText), [{ id: 1, label }])
  t.equal(JSON.parse(answered), label)
})

t.test('characters that control a terminal or the writing direction become escapes', async (t) => {
  t.equal(
    printable('a\u0007b\u009bc\u2028d\u202ee\u2066f\ud800g'),
    'a\\u{7}b\\u{9b}c\\u{2028}d\\u{202e}e\\u{2066}f\\u{d800}g',
  )
  t.equal(printableLines('a\tb\r\nc\rd\n\u001b[2J'), 'a\tb\r\nc\\u{d}d\n\\u{1b}[2J')
  t.equal(printableLines('\r\n\n\t\ud83d\udd11\n'), '\r\n\n\t\ud83d\udd11\n')
  t.equal(printable('naïve 日本 👩‍👩‍👧 שלום'), 'naïve 日本 👩‍👩‍👧 שלום')
})
