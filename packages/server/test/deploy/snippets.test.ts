import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { blocksOf } from '../support/readme-examples.ts'
import { program } from '../support/program.ts'
import { runSotto, spawnServer } from '../support/spawned.ts'

const document = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8')
const backup = document('docs/backup.md')
const install = document('docs/install.md')
const operatingPages = [
  'operating',
  'proxy',
  'backup',
  'keys',
  'accounts',
  'monitoring',
  'troubleshooting',
  'upgrade',
  'postgresql',
]
const [cronLine = ''] = blocksOf(backup, 'cron')
const [drill = ''] = blocksOf(backup, 'sh').filter((block) => block.includes('sotto restore'))

/** A machine with a running service, the command `sotto` in its PATH, and the document's paths in a directory. */
async function machine(t: Test) {
  const root = t.testdir({ bin: {}, tmp: {} })
  const backups = join(root, 'backups')
  mkdirSync(backups, { mode: 0o700 })
  const env = {
    SOTTO_DATA_DIR: join(root, 'lib', 'data'),
    SOTTO_KEYS_FILE: join(root, 'lib-keys', 'sotto-keys.json'),
  }
  const command = join(root, 'bin', 'sotto')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(command, 0o755)
  const server = await spawnServer(t, { cwd: root, env })
  const sh = (script: string) => {
    const text = script
      .replaceAll('/var/backups/sotto', backups)
      .replaceAll('/var/lib/sotto-keys', join(root, 'lib-keys'))
      .replaceAll('/usr/local/bin/', '')
    const { NODE_COMPILE_CACHE } = process.env
    const PATH = `${join(root, 'bin')}:${process.env['PATH']}`
    return spawnSync('sh', ['-c', text], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH, NODE_COMPILE_CACHE, TMPDIR: join(root, 'tmp'), ...env },
    })
  }
  return { root, backups, env, server, sh }
}

/** The command of a line of a crontab, as cron gives it to the shell: `\%` is a percent sign (crontab(5)). */
function commandOf(line: string): string {
  return line.trim().split(/\s+/).slice(5).join(' ').replaceAll('\\%', '%')
}

/** Makes a file that is as old as a backup of last month. */
function oldFile(directory: string): string {
  const file = join(directory, 'old.backup')
  writeFileSync(file, '')
  const then = Date.now() / 1_000 - 30 * 86_400
  utimesSync(file, then, then)
  return file
}

// Promise (Installing and operating): The printed cron line backs up and prunes
t.test('the cron line makes a backup, prints nothing, and deletes old backups', async (t) => {
  const { backups, sh } = await machine(t)
  t.match(cronLine, /^\d+ \d+ \* \* \* /)
  t.notMatch(cronLine, /[^\\]%/, 'cron ends the command at a bare percent sign')
  const old = oldFile(backups)
  const { status, stdout, stderr } = sh(commandOf(cronLine))
  t.same([status, stdout, stderr], [0, '', ''])
  t.notOk(existsSync(old))
  t.match(readdirSync(backups), [/^\d{4}-\d\d-\d\d\.backup$/])
})

// Promise (Installing and operating): The printed cron line backs up and prunes: and deletes nothing without a new backup
t.test('the cron line deletes nothing when there is no new backup', async (t) => {
  const { backups, sh } = await machine(t)
  const old = oldFile(backups)
  const { status, stderr } = sh(commandOf(cronLine).replace('sotto backup', 'sotto backup --no-such-option'))
  t.not(status, 0)
  t.not(stderr, '', 'cron mails this')
  t.ok(existsSync(old))
})

// Promise (Installing and operating): The printed restore drill works beside the running service
t.test('the restore drill passes beside the running service, and leaves nothing behind', async (t) => {
  const { root, backups, env, server, sh } = await machine(t)
  const folder = String(server.firstStart?.folder_id)
  const args = ['draft', 'create', '--account', 'owner@localhost', '--folder', folder, '--label', 'Door']
  t.equal((await runSotto(t, args, { cwd: root, env, stdin: 'note' })).code, 0)
  t.equal((await runSotto(t, ['backup', join(backups, 'a.backup')], { cwd: root, env })).code, 0)
  const { status, stdout, stderr } = sh(drill)
  t.equal(status, 0, stdout + stderr)
  t.match(stdout, /It contains 1 account, 1 folder, 1 draft/)
  t.match(stdout, /everything that is encrypted is intact/)
  t.same(readdirSync(join(root, 'tmp')), [])
  t.equal(server.child.exitCode, null, 'the service runs')
})

t.test('the restore drill fails when the backup is corrupted', async (t) => {
  const { backups, sh } = await machine(t)
  writeFileSync(join(backups, 'a.backup'), 'corrupted')
  t.not(sh(drill).status, 0)
})

t.test('the documents name files of the checkout that exist, and scripts that npm has', async (t) => {
  const text = [install, ...operatingPages.map((page) => document(`docs/${page}.md`))].join('\n')
  const paths = [...text.matchAll(/\bdeploy\/[\w./-]+[\w]/g)].map(([path]) => path)
  t.ok(paths.length >= 6)
  for (const path of paths) t.ok(existsSync(new URL(`../../../../${path}`, import.meta.url)), path)
  const { scripts } = JSON.parse(document('package.json')) as { scripts: Record<string, string> }
  for (const [, name = ''] of text.matchAll(/npm run (?:--silent )?([\w:]+)/g)) t.ok(scripts[name], name)
})

t.test('every way to install, and what they have in common, takes less than a screen', async (t) => {
  const ways = install.split(/^## /m).slice(1)
  t.equal(ways.length, 8)
  for (const way of ways) t.ok(way.split('\n').length <= 40, way.slice(0, way.indexOf('\n')))
  for (const block of blocksOf(install, 'sh'))
    t.equal(spawnSync('sh', ['-n', '-c', block], { encoding: 'utf8' }).stderr, '')
})
