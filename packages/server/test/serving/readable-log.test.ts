import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { findFreePort } from '@sotto/system'
import t from 'tap'
import { logStreamOf, readableLog } from '../../src/serving/readable-log.ts'
import { program } from '../support/program.ts'
import { linesUntil } from '../support/readme-examples.ts'

const hasScript = spawnSync('script', ['-V']).status === 0

function collector() {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  return { stream, text: () => text }
}

const entry = (more: object) =>
  `${JSON.stringify({ level: 30, time: '2026-11-28T09:05:07.123Z', pid: 7, hostname: 'h', ...more })}\n`

t.test('each entry is a line that people read', async (t) => {
  const { stream, text } = collector()
  const log = readableLog(stream)
  log.write(entry({ reqId: 'r-1', msg: 'request' }) + entry({ level: 40, msg: 'closed', count: 2 }))
  log.write(entry({ level: 50, error: { code: 'x y' }, why: 'two words', msg: 'failed' }))
  t.equal(
    text(),
    [
      '09:05:07 info    request reqId=r-1',
      '09:05:07 warning closed count=2',
      '09:05:07 error   failed error={"code":"x y"} why="two words"',
      '',
    ].join('\n'),
  )
})

t.test('an entry cannot steer the terminal or begin another line', async (t) => {
  const { stream, text } = collector()
  readableLog(stream).write(entry({ msg: '\u001B[2Ja\nb', host: 'c\u202Ed' }))
  t.equal(text(), '09:05:07 info    \\u{1b}[2Ja\\u{a}b host=c\\u{202e}d\n')
})

t.test('the log stays JSON unless both outputs are a terminal', async (t) => {
  const at = (stdout: boolean, stderr: boolean) => {
    const surroundings = {
      stdout: Object.assign(new PassThrough(), { isTTY: stdout }),
      stderr: Object.assign(new PassThrough(), { isTTY: stderr }),
    }
    logStreamOf(surroundings).write(entry({ msg: 'm' }))
    return String(surroundings.stderr.read())
  }
  for (const [stdout, stderr] of [
    [false, false],
    [true, false],
    [false, true],
  ] as const)
    t.equal(at(stdout, stderr), entry({ msg: 'm' }))
  t.equal(at(true, true), '09:05:07 info    m\n')
})

t.test(
  'on a terminal, serve writes its log for people',
  { skip: hasScript ? false : 'script is not installed' },
  async (t) => {
    const env = { ...process.env, SOTTO_PORT: String(await findFreePort()) }
    // Without exec, some shells stay between the terminal and the server, and end by themselves at Ctrl-C.
    const serve = `exec '${process.execPath}' '${program}' serve`
    const terminal = spawn('script', ['-qec', serve, '/dev/null'], {
      cwd: t.testdir(),
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const printed = await linesUntil(terminal, /token create --account/)
    terminal.stdin.write('\u0003')
    const [code] = (await once(terminal, 'close')) as [number | null]
    t.equal(code, 0)
    t.match(printed, /^\d\d:\d\d:\d\d info {4}account_created /m)
    t.notMatch(printed, '{"level"')
  },
)
