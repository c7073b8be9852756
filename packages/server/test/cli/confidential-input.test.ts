import { Readable } from 'node:stream'
import t from 'tap'
import { readConfidentialInput } from '../../src/cli/confidential-input.ts'

async function read(chunks: (string | Buffer)[], withPassword = false, noteMaxBytes = 64) {
  const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  const input = await readConfidentialInput(stdin, { withPassword, noteMaxBytes })
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
    t.strictSame(await read([note]), { note, password: undefined }, JSON.stringify(note))
  }
  const split = Buffer.from('\u{1F511}')
  t.strictSame(await read([split.subarray(0, 1), split.subarray(1)]), {
    note: '\u{1F511}',
    password: undefined,
  })
})

t.test('with a password the first line is the password, ended by LF or CRLF', async (t) => {
  t.strictSame(await read(['pass\nnote\n'], true), { password: 'pass', note: 'note\n' })
  t.strictSame(await read(['pass\r\nnote\r\n'], true), { password: 'pass', note: 'note\r\n' })
  t.strictSame(await read(['pa\rss\r\r\n\nnote'], true), { password: 'pa\rss\r', note: '\nnote' })
  t.strictSame(await read([' p \n'], true), { password: ' p ', note: '' })
  t.strictSame(await read(['\nnote'], true), { password: '', note: 'note' })
  t.strictSame(await read(['only'], true), { password: 'only', note: '' })
  t.strictSame(await read([], true), { password: '', note: '' })
})

t.test('input that is not UTF-8 is refused, in the password and in the note', async (t) => {
  const bad = Buffer.from([0x61, 0xff])
  t.equal(await read([bad]), 'input_not_utf8')
  t.equal(await read([Buffer.concat([bad, Buffer.from('\nnote')])], true), 'input_not_utf8')
  t.equal(await read([Buffer.concat([Buffer.from('pass\n'), bad])], true), 'input_not_utf8')
  t.equal(await read([Buffer.from([0xed, 0xa0, 0x80])]), 'input_not_utf8', 'a surrogate')
})

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
  const input = await readConfidentialInput(endless, { withPassword: false, noteMaxBytes: 64 })
  t.equal(input.isErr() && input.error.code, 'input_too_long')
  t.ok(served < 20, `${served} chunks were read`)
  t.ok(endless.destroyed)
})

t.test('the longest note is read together with the longest password', async (t) => {
  t.match(await read(['x'.repeat(64)]), { note: /^x{64}$/ })
  t.equal(await read(['x'.repeat(65)]), 'input_too_long')
  t.match(await read([`${'p'.repeat(1024)}\r\n${'x'.repeat(64)}`], true), {
    note: /^x{64}$/,
    password: /^p{1024}$/,
  })
})
