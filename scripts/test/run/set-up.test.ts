import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createCheckout, ended } from './support/checkout.ts'

const FOR_A_START = 'install --frozen-lockfile --prefer-offline --prod --filter @sotto/server...'
const FOR_ALL = 'install --frozen-lockfile --prefer-offline --prod=false'

t.test('a first start fetches pnpm, installs what a start needs, and serves', async (t) => {
  const checkout = await createCheckout(t)
  const { code, stdout, stderr } = await checkout.run(['start', '--port', '1'])
  t.equal(stdout, 'served serve --port 1\n', stderr)
  t.equal(code, 0)
  t.match(stderr, 'sotto: fetching test-pnpm@12.0.0 …')
  t.strictSame(checkout.pnpmCalls(), [FOR_A_START], 'and no install script ran')
})

t.test('a second start needs neither npm nor pnpm nor a registry', async (t) => {
  const checkout = await createCheckout(t)
  await checkout.run(['start'])
  rmSync(join(checkout.root, 'bin', 'npm'))
  const env = { npm_config_registry: 'http://127.0.0.1:1' }
  const { stdout, stderr } = await checkout.run(['start'], { env })
  t.equal(stdout, 'served serve\n')
  t.equal(stderr, '')
  t.equal(checkout.pnpmCalls().length, 1)
})

t.test('a package whose sha512 is another one stops the start, and nothing of it is used', async (t) => {
  const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
  const checkout = await createCheckout(t, { integrity })
  const { code, stdout, stderr } = await checkout.run(['start'])
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /is not the one that this checkout names, because its sha512 differs\. It was not used/)
  t.strictSame(checkout.pnpmCalls(), [])
  t.strictSame(checkout.tools(), [])
})

t.test('a changed sha512 is fetched again, although its version is the same', async (t) => {
  const checkout = await createCheckout(t)
  await checkout.run(['setup'])
  const table = join(checkout.root, 'scripts', 'run', 'tools.json')
  writeFileSync(table, readFileSync(table, 'utf8').replace(/sha512-..../g, 'sha512-AAAA'))
  const { code, stderr } = await checkout.run(['setup'])
  t.equal(code, 1)
  t.match(stderr, /its sha512 differs/)
})

t.test(
  'the tests after a start install the rest, and a start after the tests installs nothing',
  async (t) => {
    const checkout = await createCheckout(t)
    await checkout.run(['start'])
    t.equal((await checkout.run(['test'])).stdout, 'tested\n')
    t.equal((await checkout.run(['start'])).stdout, 'served serve\n')
    await checkout.run(['test'])
    t.strictSame(checkout.pnpmCalls(), [FOR_A_START, FOR_ALL])
  },
)

t.test('a start with a changed lockfile keeps the packages of development', async (t) => {
  const checkout = await createCheckout(t)
  await checkout.run(['setup'])
  writeFileSync(join(checkout.root, 'pnpm-lock.yaml'), 'second')
  await checkout.run(['start'])
  t.strictSame(checkout.pnpmCalls(), [FOR_ALL, FOR_ALL])
})

t.test('setup prepares start and tests without starting, setup --prod the start alone', async (t) => {
  const checkout = await createCheckout(t)
  const prod = await checkout.run(['setup', '--prod'])
  t.strictSame([prod.code, prod.stdout], [0, ''])
  const all = await checkout.run(['setup'])
  t.strictSame([all.code, all.stdout], [0, ''])
  t.strictSame(checkout.pnpmCalls(), [FOR_A_START, FOR_ALL])
  t.equal((await checkout.run(['setup', '--dev'])).code, 1)
})

t.test('a checkout that cannot be written says what to do', async (t) => {
  const checkout = await createCheckout(t)
  // Permissions do not stop root, so the system's answer is made here.
  const preload = join(checkout.root, 'no-permission.cjs')
  writeFileSync(
    preload,
    `const fs = require('node:fs')
    const { mkdirSync } = fs
    fs.mkdirSync = (path, options) => {
      if (!path.endsWith('.tools')) return mkdirSync(path, options)
      throw Object.assign(new Error('EACCES: ' + path), { code: 'EACCES', path })
    }
    require('node:module').syncBuiltinESMExports()`,
  )
  const env = { NODE_OPTIONS: `--require ${preload}` }
  const { code, stderr } = await checkout.run(['start'], { env })
  t.equal(code, 1)
  t.equal(
    stderr,
    `sotto: ${join(checkout.root, '.tools')} (EACCES) cannot be written. The set-up puts Node.js and packages into the ` +
      'checkout: run "npm run setup" once as a user who may write to ' +
      `${checkout.root}, or copy the checkout to a directory of your own\n`,
  )
})

t.test('a file in the place of .tools is named', async (t) => {
  const checkout = await createCheckout(t)
  const path = join(checkout.root, '.tools')
  writeFileSync(path, '')
  const { code, stderr } = await checkout.run(['start'])
  t.equal(code, 1)
  t.match(stderr, `sotto: ${path} is in the way (EEXIST)`)
})

t.test('SIGTERM stops the server and gives its exit code', async (t) => {
  const checkout = await createCheckout(t)
  writeFileSync(
    join(checkout.root, 'packages', 'server', 'src', 'main.ts'),
    `setInterval(() => {}, 1000)
    process.on('SIGTERM', () => { console.log('stopping'); process.exit(0) })
    console.log('serving')`,
  )
  const child = checkout.start(['start'])
  child.stdout?.once('data', () => child.kill('SIGTERM'))
  const { code, stdout } = await ended(child)
  t.equal(stdout, 'serving\nstopping\n')
  t.equal(code, 0)
})

t.test('an interrupted installation is made again by the next start', async (t) => {
  const checkout = await createCheckout(t)
  await checkout.run(['start'])
  const [tools = ''] = checkout.tools().filter((name) => name.startsWith('pnpm-'))
  const pnpm = join(checkout.root, '.tools', tools, 'node_modules', 'test-pnpm', 'pnpm')
  const working = readFileSync(pnpm, 'utf8')
  writeFileSync(pnpm, '#!/bin/sh\nexit 3\n')
  const failed = await checkout.run(['test'])
  t.equal(failed.code, 1)
  t.match(failed.stderr, 'set-up failed: pnpm exited with code 3')
  writeFileSync(pnpm, working)
  t.equal((await checkout.run(['start'])).stdout, 'served serve\n')
  t.strictSame(checkout.pnpmCalls(), [FOR_A_START, FOR_A_START])
})
