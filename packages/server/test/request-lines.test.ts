import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createRequestLines } from '../src/request-lines.ts'

function record() {
  const writes: string[] = []
  return { writes, lines: createRequestLines({ write: (text) => writes.push(text) }) }
}

t.test('deferred lines of one turn of the event loop are one write', async (t) => {
  const { writes, lines } = record()
  lines.defer(() => lines.write('one\n'))
  lines.defer(() => lines.write('two\n'))
  t.strictSame(writes, [])
  await turn()
  t.strictSame(writes, ['one\ntwo\n'])
  lines.defer(() => lines.write('three\n'))
  await turn()
  t.strictSame(writes, ['one\ntwo\n', 'three\n'])
})

t.test('another line is written immediately, after those before it', async (t) => {
  const { writes, lines } = record()
  lines.write('audit 1\n')
  lines.defer(() => lines.write('request\n'))
  lines.write('audit 2\n')
  t.strictSame(writes, ['audit 1\n', 'request\n', 'audit 2\n'])
  await turn()
  t.equal(writes.length, 3, 'and nothing is written twice')
})

t.test('no write is longer than what a pipe takes whole, and none splits a line', async (t) => {
  const { writes, lines } = record()
  const written = Array.from({ length: 300 }, (_, at) => `${String(at).padEnd(100, 'x')}\n`)
  for (const line of written) lines.defer(() => lines.write(line))
  await turn()
  t.equal(writes.join(''), written.join(''))
  t.ok(writes.every((text) => text.length <= 4_096 && text.endsWith('\n')))
  t.equal(writes.length, Math.ceil(300 / 40))
})

t.test('a line that is longer than that is a write of its own', async (t) => {
  const { writes, lines } = record()
  const long = `${'x'.repeat(5_000)}\n`
  for (const line of ['short\n', long, 'short\n']) lines.defer(() => lines.write(line))
  await turn()
  t.strictSame(writes, ['short\n', long, 'short\n'])
})

t.test('lines are deferred inside of defer only, also when it throws', (t) => {
  const { writes, lines } = record()
  t.throws(() =>
    lines.defer(() => {
      throw new Error('broken')
    }),
  )
  lines.write('line\n')
  t.strictSame(writes, ['line\n'])
  t.end()
})
