import { Readable } from 'node:stream'
import t from 'tap'
import { readConfidentialInput, readLines } from '../../src/cli/confidential-input.ts'

async function read(chunks: (string | Buffer)[], lines = 0, noteMaxBytes = 64) {
  const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  const input = await readConfidentialInput(stdin, { lines, noteMaxBytes })
  return input.isOk() ? input.value : input.error.code
}

t.test('the whole input is the note, byte for byte', async (t) => {
  for (const note of [
    'one\ntwo\n',
    'no line break',
    '\n',
    '',
    '\r\n \t',
    '\uFEFFmarked',
    'é\u0301 \u{1F511}',
  ]) {
    t.strictSame(await read([note]), { note, lines: [] }, JSON.stringify(note))
  }
  const split = Buffer.from('\u{1F511}')
  t.strictSame(await read([split.subarray(0, 1), split.subarray(1)]), { note: '\u{1F511}', lines: [] })
})

t.test('the lines before a note are ended by LF or CRLF', async (t) => {
  t.strictSame(await read(['pass\nnote\n'], 1), { lines: ['pass'], note: 'note\n' })
  t.strictSame(await read(['pass\r\nnote\r\n'], 1), { lines: ['pass'], note: 'note\r\n' })
  t.strictSame(await read(['pa\rss\r\r\n\nnote'], 1), { lines: ['pa\rss\r'], note: '\nnote' })
  t.strictSame(await read([' p \n'], 1), { lines: [' p '], note: '' })
  t.strictSame(await read(['\nnote'], 1), { lines: [''], note: 'note' })
  t.strictSame(await read(['only'], 1), { lines: ['only'], note: '' })
  t.strictSame(await read([], 1), { lines: [''], note: '' })
  t.strictSame(await read(['label\r\npass\nnote\n'], 2), { lines: ['label', 'pass'], note: 'note\n' })
  t.strictSame(await read(['label'], 2), { lines: ['label', ''], note: '' })
})

t.test(
  'input that is not UTF-8 is refused, in a line and in the note, and so is a note with NUL',
  async (t) => {
    const bad = Buffer.from([0x61, 0xff])
    t.equal(await read([bad]), 'input_not_text')
    t.equal(await read([Buffer.concat([bad, Buffer.from('\nnote')])], 1), 'input_not_text')
    t.equal(await read([Buffer.concat([Buffer.from('pass\n'), bad])], 1), 'input_not_text')
    t.equal(await read([Buffer.from([0xed, 0xa0, 0x80])]), 'input_not_text', 'a surrogate')
    t.equal(await read(['a\0b']), 'input_not_text', 'NUL')
  },
)

t.test('endless input is refused soon after the length of a note', async (t) => {
  let served = 0
  const endless = Readable.from(
    (function* () {
      for (;;) {
        served += 1
        yield Buffer.alloc(16)
      }
    })(),
    { highWaterMark: 1 },
  )
  const input = await readConfidentialInput(endless, { lines: 0, noteMaxBytes: 64 })
  t.equal(input.isErr() && input.error.code, 'input_too_long')
  t.ok(served < 20, `${served} chunks were read`)
  t.ok(endless.destroyed)
})

t.test('the longest note is read together with the longest password', async (t) => {
  t.match(await read(['x'.repeat(64)]), { note: /^x{64}$/ })
  t.equal(await read(['x'.repeat(65)]), 'input_too_long')
  t.match(await read([`${'p'.repeat(1024)}\r\n${'x'.repeat(64)}`], 1), {
    note: /^x{64}$/,
    lines: [/^p{1024}$/],
  })
})

t.test('lines are read without what follows them', async (t) => {
  async function linesOf(count: number, ...chunks: string[]) {
    const stdin = Readable.from(
      (function* () {
        for (const chunk of chunks) yield Buffer.from(chunk)
        t.fail('more is read than the lines')
      })(),
      { highWaterMark: 1 },
    )
    const lines = await readLines(stdin, count)
    return lines.isOk() ? lines.value : lines.error.code
  }
  t.strictSame(await linesOf(0), [])
  t.strictSame(await linesOf(1, 'li', 'nk\r\nmore'), ['link'])
  t.strictSame(await linesOf(2, 'link\n', 'pass word\n'), ['link', 'pass word'])
  t.equal(await linesOf(1, 'x'.repeat(4_096)), 'lines_too_long')
  const short = await readLines(Readable.from([Buffer.from('link')]), 2)
  t.strictSame(short.isOk() && short.value, ['link', ''])
})
