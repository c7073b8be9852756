import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { readSettings } from '../../src/config/settings.ts'
import { smallHeapOptions } from '../../src/serving/small-heap.ts'

const directory = join(import.meta.dirname, '..', '..', '..', '..', 'deploy', 'systemd')
const unit = readFileSync(join(directory, 'sotto.service'), 'utf8')
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0
const needsAnalyze = hasAnalyze ? {} : { skip: 'systemd-analyze is not installed' }

const values = new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

/** The unit in a file, with a program that exists on this machine. */
function unitFile(t: Test, text = unit): string {
  const file = join(t.testdir(), 'sotto.service')
  writeFileSync(file, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
  return file
}

const verify = (file: string) => spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })

/** What `systemd-analyze security` rates the exposure of a unit with, from 0 to 10. */
function exposureOf(file: string): number {
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', file], {
    encoding: 'utf8',
  })
  return Number(/exposure level for sotto\.service: ([\d.]+)/.exec(stdout)?.[1])
}

// Promise (Installing and operating): The systemd unit is valid
t.test('the unit is valid', needsAnalyze, async (t) => {
  const { status, stderr } = verify(unitFile(t))
  t.equal(stderr, '')
  t.equal(status, 0)
})

t.test('a unit with a mistake is noticed', needsAnalyze, async (t) => {
  t.match(
    verify(unitFile(t, unit.replace('ProtectSystem=strict', 'ProtectSystems=strict'))).stderr,
    /Unknown key/,
  )
})

// Promise (Installing and operating): The systemd unit is valid: and exposes little
t.test('the exposure of the unit is 2.0 or less', needsAnalyze, async (t) => {
  t.ok(exposureOf(unitFile(t)) <= 2)
  t.ok(exposureOf(unitFile(t, unit.replaceAll(/^(?:Protect|Private|Restrict|SystemCall).*\n/gm, ''))) > 2)
})

t.test('the service has a user of its own, and only directories of its own to write to', async (t) => {
  t.equal(values.get('User'), 'sotto')
  t.equal(values.get('ProtectSystem'), 'strict')
  t.equal(values.get('StateDirectoryMode'), '0700')
  t.equal(values.get('CacheDirectoryMode'), '0700')
  t.notOk(values.has('ReadWritePaths'))
})

t.test(
  'the settings are valid, and data and keys are in different state directories of the unit',
  async (t) => {
    const file = join(t.testdir(), 'sotto.env')
    writeFileSync(file, readFileSync(join(directory, 'sotto.env')), { mode: 0o600 })
    const { dataDir, keysFile } = expectOk(readSettings({ SOTTO_ENV_FILE: file }, '/opt/sotto'))
    const [, state = ''] = /^StateDirectory=(.*)$/m.exec(unit) ?? []
    const [data, keys] = state.split(' ').map((name) => `/var/lib/${name}/`)
    t.ok(dataDir.startsWith(String(data)))
    t.ok(keysFile.startsWith(String(keys)))
  },
)

t.test('the command runs as the service does: the same user, settings and program', async (t) => {
  const file = join(directory, 'sotto')
  const command = readFileSync(file, 'utf8')
  t.equal(statSync(file).mode & 0o111, 0o111)
  const [, node, program] = /(\/opt\/sotto\/bin\/node) (\S+)/.exec(command) ?? []
  t.equal(values.get('ExecStart'), [node, ...smallHeapOptions, program, 'serve'].join(' '))
  t.match(unit, /SOTTO_ENV_FILE=\S+/.exec(command)?.[0])
  t.match(command, /runuser -u sotto /)
})

// Promise (Installing and operating): The unit and the image keep what V8 compiled, where only the service can write
t.test('what V8 compiled is kept in the cache directory of the unit', async (t) => {
  t.match(values.get('Environment'), `NODE_COMPILE_CACHE=/var/cache/${values.get('CacheDirectory')}`)
})
