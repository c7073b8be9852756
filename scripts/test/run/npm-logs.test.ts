import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'

// What the npm of this machine leaves in a home directory when the command runs through it.

const root = join(import.meta.dirname, '..', '..', '..')
const canary = 'canaryXcanaryXcanaryXcanaryXcanaryXcanaryX0'

/** Runs `npm run --silent sotto -- ARGS` and returns the names of the logs of npm and all text in the home directory. */
async function homeAfter(t: Test, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const home = t.testdir()
  const logs = join(home, '.npm', '_logs')
  mkdirSync(logs, { recursive: true })
  writeFileSync(join(logs, '2026-01-02T03_04_05_678Z-debug-0.log'), 'of another project')
  const npm = ['run', '--silent', 'sotto', '--', ...args]
  const options = {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: home, npm_config_update_notifier: 'false', ...env },
  }
  await new Promise((resolve) => execFile('npm', npm, options, resolve))
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const text = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')).join('\n')
  return { logs: readdirSync(logs), text }
}

const failing = ['open', `http://127.0.0.1:1/${canary}`]

// Promise (Clients): npm in a checkout logs no arguments of `sotto`
t.test('npm writes no log of the arguments of the command, and deletes none of other projects', async (t) => {
  for (const args of [failing, ['--version', canary]]) {
    const { logs, text } = await homeAfter(t, args)
    t.strictSame(logs, ['2026-01-02T03_04_05_678Z-debug-0.log'])
    t.notMatch(text, canary)
  }
})

t.test('with its own settings npm would write them', async (t) => {
  const logsDir = join(t.testdir(), 'logs')
  mkdirSync(logsDir)
  await homeAfter(t, failing, { npm_config_logs_max: '10', npm_config_logs_dir: logsDir })
  const logs = readdirSync(logsDir).map((name) => readFileSync(join(logsDir, name), 'utf8'))
  t.match(logs.join('\n'), canary)
})
