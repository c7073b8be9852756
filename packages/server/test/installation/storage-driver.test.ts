import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { storageDriverOf } from '../../src/installation/storage-driver.ts'
import { spawnServer, spawnSotto } from '../support/spawned.ts'
import { settingsIn } from '../support/installation.ts'

const source = join(import.meta.dirname, '..', '..', 'src')
const adapterImport = /(?:from |import\()'@sotto\/adapter-(?!(?:node-crypto|mail|webhook|oidc)['/])/

t.test('storage-driver.ts is the only source file that imports a storage adapter', async (t) => {
  const importing = globSync('**/*.ts', { cwd: source }).filter((file) =>
    adapterImport.test(readFileSync(join(source, file), 'utf8')),
  )
  t.strictSame(importing, ['installation/storage-driver.ts'])
})

t.test('without a URL of a database the place is the directory, and with one its address', async (t) => {
  const cwd = t.testdir()
  t.equal((await storageDriverOf(settingsIn(cwd))).location, join(cwd, 'data'))
  const url = 'postgres://ann:hunter2@db.example.org:6432/sotto?sslmode=disable'
  const { location } = await storageDriverOf(settingsIn(cwd, { SOTTO_DATABASE_URL: url }))
  t.equal(location, 'postgres://db.example.org:6432/sotto')
})

/** Prints the modules that a command loads which are PostgreSQL's. */
const trace = `
import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'
registerHooks({
  load(url, context, nextLoad) {
    if (/\\/adapter-postgres\\/|\\/node_modules\\/pg[-/]/.test(url)) writeSync(2, 'loaded ' + url + '\\n')
    return nextLoad(url, context)
  },
})
`

t.test('a server loads PostgreSQL only where there is a URL of a database', async (t) => {
  const cwd = t.testdir({ 'trace.mjs': trace.replaceAll('\\\\', '\\') })
  const traced = { cwd, nodeArgs: ['--import', join(cwd, 'trace.mjs')], file: join(source, 'main.ts') }
  const server = await spawnServer(t, traced)
  t.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
  t.notMatch(server.stderr(), /^loaded /m)

  const env = { SOTTO_DATABASE_URL: 'postgres://127.0.0.1:1/sotto' }
  const other = spawnSotto(t, ['serve'], { ...traced, env })
  t.equal(await other.ended, 1)
  t.match(other.stderr(), /^loaded .*\/node_modules\/pg\//m)
})

t.test(
  'the built command has PostgreSQL in a file of its own, which is imported only on demand',
  async (t) => {
    const outdir = t.testdir()
    const { scripts } = JSON.parse(readFileSync(join(source, '..', 'package.json'), 'utf8')) as {
      readonly scripts: { readonly build: string }
    }
    const PATH = `${join(source, '..', 'node_modules', '.bin')}:${process.env['PATH']}`
    const command = scripts.build.replace('--outdir=dist', '--outdir="$0"')
    await promisify(execFile)('sh', ['-c', command, outdir], {
      cwd: join(source, '..'),
      env: { ...process.env, PATH },
    })
    const files = globSync('*.js', { cwd: outdir })
    const textOf = (name: string) => readFileSync(join(outdir, name), 'utf8')
    const [postgres = '', ...others] = files.filter((name) => textOf(name).includes('SCRAM-SHA-256'))
    t.match(postgres, /\.js$/)
    t.strictSame(others, [])
    t.notMatch(textOf(postgres), 'SOTTO_TRUST_PROXY', 'nothing of the server is in it')
    const naming = files.filter((name) => textOf(name).includes(`"./${postgres}"`))
    t.equal(naming.length, 1)
    for (const name of naming) t.match(textOf(name), `import("./${postgres}")`)
    for (const name of naming) t.notMatch(textOf(name), `from"./${postgres}"`)
  },
)
