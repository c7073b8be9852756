import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createRequestLines } from '../../src/serving/request-lines.ts'

const info = (text: string): string => `{"level":30,"msg":"${text}"}\n`
const warning = (text: string): string => `{"level":40,"msg":"${text}"}\n`

function record() {
  const writes: string[] = []
  return { writes, lines: createRequestLines({ write: (text) => writes.push(text) }) }
}

t.test('the lines of one turn of the event loop are one write', async (t) => {
  const { writes, lines } = record()
  lines.write(info('one'))
  lines.write(info('two'))
  t.strictSame(writes, [])
  await turn()
  t.strictSame(writes, [info('one') + info('two')])
  lines.write(info('three'))
  await turn()
  t.strictSame(writes, [info('one') + info('two'), info('three')])
})

t.test('a warning is written immediately, after the lines before it', async (t) => {
  const { writes, lines } = record()
  lines.write(warning('one'))
  t.strictSame(writes, [warning('one')])
  lines.write(info('two'))
  lines.write(warning('three'))
  t.strictSame(writes, [warning('one'), info('two') + warning('three')])
  lines.write(info('four'))
  await turn()
  t.equal(
    writes.join(''),
    warning('one') + info('two') + warning('three') + info('four'),
    'and nothing twice',
  )
})

t.test('no write is longer than what a pipe takes whole, and none splits a line', async (t) => {
  const { writes, lines } = record()
  const written = Array.from({ length: 300 }, (_, at) => info(String(at).padEnd(76, 'x')))
  for (const line of written) lines.write(line)
  await turn()
  t.equal(writes.join(''), written.join(''))
  t.ok(writes.every((text) => text.length <= 4_096 && text.endsWith('\n')))
  t.equal(writes.length, Math.ceil(300 / Math.floor(4_096 / info('x'.repeat(76)).length)))
})

t.test('a line that is longer than that is a write of its own', async (t) => {
  const { writes, lines } = record()
  const long = info('x'.repeat(5_000))
  for (const line of [info('short'), long, info('short')]) lines.write(line)
  await turn()
  t.strictSame(writes, [info('short'), long, info('short')])
})

t.test('a process that exits writes the lines that wait', (t) => {
  const before = process.listenerCount('exit')
  const { writes, lines } = record()
  lines.write(info('one'))
  const [added] = process.listeners('exit').slice(before)
  added?.(0)
  t.strictSame(writes, [info('one')])
  t.equal(process.listenerCount('exit'), before, 'and listens no longer than they wait')
  t.end()
})
