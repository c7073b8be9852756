import { findFreePort } from '@sotto/system'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { smallHeapOptions } from '../../src/serving/small-heap.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const bundler = join(root, 'scripts', 'bundle.mjs')
const containerfile = readFileSync(join(root, 'deploy', 'container', 'Containerfile'), 'utf8')
/** The user that the image names. */
const user = 10_001

const isLinux = process.platform === 'linux'
const canChangeRoot = isLinux && process.getuid?.() === 0 && spawnSync('chroot', ['--version']).status === 0
const needsLinux = isLinux ? {} : { skip: 'this needs Linux' }
const needsRoot = canChangeRoot ? {} : { skip: 'this needs Linux, root and chroot' }

/** The instructions of a Containerfile, with continued lines joined. */
const instructions = containerfile
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => ({ name: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1) }))
const restOf = (name: string) => instructions.filter((one) => one.name === name).map(({ rest }) => rest)
const environment = Object.fromEntries(
  restOf('ENV').flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split('=') as [string, string])),
)

function temporary(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-image-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function bundle(...args: string[]) {
  return spawnSync(process.execPath, [bundler, ...args], { encoding: 'utf8' })
}

/** What the first stage of the Containerfile makes, with the volumes where the last stage puts them. */
function imageRoot(t: Test): string {
  const image = join(temporary(t), 'image')
  const { status, stderr } = bundle('--image', image)
  t.equal(status, 0, stderr)
  for (const name of ['data', 'keys']) {
    const volume = join(image, 'root', name)
    t.equal(spawnSync('mv', [join(image, 'volumes', name), volume]).status, 0)
    if (canChangeRoot) chownSync(volume, user, user)
  }
  return join(image, 'root')
}

t.test(
  'the image is built from nothing, for a user other than root, with volumes and a health check',
  async (t) => {
    t.same(restOf('FROM'), ['node:24-bookworm-slim AS build', 'scratch'])
    t.same(restOf('USER'), [`${user}:${user}`])
    t.same(JSON.parse(restOf('VOLUME').join('')), ['/data', '/keys'])
    t.match(restOf('HEALTHCHECK'), [/healthcheck\.mjs"\]$/])
    t.same((JSON.parse(restOf('ENTRYPOINT').join('')) as string[]).slice(1, -1), smallHeapOptions)
    t.ok(environment['SOTTO_DATA_DIR']?.startsWith('/data/'))
    t.ok(environment['SOTTO_KEYS_FILE']?.startsWith('/keys/'))
    t.match(readFileSync(bundler, 'utf8'), /IMAGE_USER = 10_001/)
  },
)

// Promise (Installing and operating): A bundle and the image contain everything that they name, in 140 MB
t.test('a bundle has every path that image and unit name', needsLinux, async (t) => {
  const image = imageRoot(t)
  const unit = readFileSync(join(root, 'deploy', 'systemd', 'sotto.service'), 'utf8')
  const named = [
    ...`${restOf('ENTRYPOINT').join()} ${restOf('HEALTHCHECK').join()}`.matchAll(/"(\/[^"]+)"/g),
    ...unit.matchAll(/[ =](\/opt\/\S+)/g),
  ].map(([, path = '']) => path)
  t.ok(named.length >= 6)
  for (const path of [...named, ...restOf('WORKDIR').slice(1), '/tmp', '/etc/passwd'])
    t.ok(existsSync(join(image, path)), path)
  const { size } = statSync(join(image, 'opt/sotto/bin/node'))
  const all = Number(spawnSync('du', ['-sb', image], { encoding: 'utf8' }).stdout.split('\t')[0])
  t.ok(all - size < 16_000_000, `beside Node.js there are ${all - size} bytes`)
  t.ok(all <= 140_000_000, `${all} bytes`)
})

/** The packages of others that a package of this repository needs, its own packages' included. */
function dependenciesOf(directory: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>
    peerDependencies?: Record<string, string>
  }
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  return names.flatMap((name) =>
    name.startsWith('@sotto/') ? dependenciesOf(join(root, 'packages', name.slice(7))) : [name],
  )
}

t.test('a bundle has the licences of all software of others in it', { skip: !isLinux }, async (t) => {
  const place = join(imageRoot(t), 'opt/sotto')
  const text = readFileSync(join(place, 'THIRD-PARTY-LICENSES'), 'utf8')
  const sections = text.split(/^={80}\n(.+)\n={80}\n/m).slice(1)
  const licenses = sections.flatMap((title, at) => (at % 2 === 0 ? [{ title, text: sections[at + 1] }] : []))
  t.match(licenses[0], { title: `Node.js ${process.versions.node}`, text: /OpenSSL[^]+zlib/ })
  const needed = new Set(dependenciesOf(join(root, 'packages', 'server')))
  t.ok(needed.size >= 8, 'the packages are known')
  // What these need themselves is in the bundle too.
  for (const name of [...needed, 'avvio', 'sonic-boom', 'semver'])
    t.ok(
      licenses.some(({ title }) => title.startsWith(`${name} `)),
      name,
    )
  for (const { title, text: license } of licenses) t.match(license, /permission|licen[cs]e/i, title)
  t.equal(readFileSync(join(place, 'app/LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'))
  t.equal(existsSync(join(place, 'app/dist/meta.json')), false)
})

t.test('a bundle is not written over a directory that exists', async (t) => {
  const { status, stderr } = bundle(t.testdir())
  t.equal(status, 1)
  t.match(stderr, / exists$/m)
  t.equal(bundle('--unknown').status, 2)
})

// Promise (Installing and operating): The image runs without root, and writes to its volumes only
t.test('the image runs as its user and writes to its volumes only', needsRoot, async (t) => {
  const image = imageRoot(t)
  for (let path = image; path !== tmpdir(); path = dirname(path)) chmodSync(path, 0o755)
  const port = await findFreePort()
  // The test runner sets the variable for each process that a test spawns.
  const withoutOptions = 'NODE_OPTIONS='
  const env = { ...environment, SOTTO_HOST: '127.0.0.1', SOTTO_PORT: String(port) }
  const chroot = spawnSync('which', ['chroot'], { encoding: 'utf8' }).stdout.trim()
  const inside = (json = '[]') => [
    ...[withoutOptions, chroot, '--userspec', `${user}:${user}`, image],
    ...(JSON.parse(json) as string[]),
  ]
  const entry = inside(restOf('ENTRYPOINT')[0])
  const healthcheck = inside(/CMD (\[.*\])/.exec(restOf('HEALTHCHECK').join(''))?.[1])

  t.equal(spawnSync('/usr/bin/env', healthcheck, { env }).status, 1, 'nothing is ready before the start')
  const server = spawn('/usr/bin/env', [...entry, 'serve', '--json'], { env })
  t.teardown(() => server.kill('SIGKILL'))
  const [line] = (await Promise.race([once(server.stdout, 'data'), once(server, 'exit')])) as unknown[]
  t.match(JSON.parse(String(line)), { base_url: `http://localhost:${port}` })
  t.equal(spawnSync('/usr/bin/env', healthcheck, { env }).status, 0, 'it is ready')
  const doctor = spawnSync('/usr/bin/env', [...entry, 'doctor'], { env, encoding: 'utf8' })
  t.equal(doctor.status, 0, doctor.stdout)
  for (const path of ['data/sotto/sotto.sqlite', 'keys/sotto-keys.json'])
    t.equal(statSync(join(image, path)).uid, user, path)
  const foreign = spawnSync('find', [image, '-xdev', '-user', String(user), '-type', 'f'], {
    encoding: 'utf8',
  })
  for (const file of foreign.stdout.split('\n').filter((path) => path !== ''))
    t.match(file.slice(image.length), /^\/(?:data|keys)\//)
  server.kill('SIGTERM')
  t.same(await once(server, 'exit'), [0, null])
  t.ok(
    statSync(join(image, String(environment['NODE_COMPILE_CACHE']))).isDirectory(),
    'what V8 compiled is kept',
  )
})

t.test(
  'the script builds the image with buildah, configured as the Containerfile says',
  canChangeRoot && spawnSync('buildah', ['--version']).status === 0
    ? {}
    : { skip: 'this needs Linux, root, chroot and buildah' },
  async (t) => {
    const store = temporary(t)
    const options = [
      '--storage-driver',
      'vfs',
      '--root',
      join(store, 'root'),
      '--runroot',
      join(store, 'run'),
    ]
    const script = join(root, 'deploy', 'container', 'build.sh')
    const built = spawnSync('sh', [script, 'sotto-test'], {
      encoding: 'utf8',
      env: { ...process.env, BUILDAH: ['buildah', ...options].join(' ') },
    })
    t.equal(built.status, 0, built.stderr)
    const inspected = spawnSync('buildah', [...options, 'inspect', '--type', 'image', 'sotto-test'], {
      encoding: 'utf8',
    })
    const { Docker } = JSON.parse(inspected.stdout) as { Docker: { config: Record<string, unknown> } }
    t.match(Docker.config, {
      User: restOf('USER')[0],
      Entrypoint: JSON.parse(restOf('ENTRYPOINT').join('')) as string[],
      Cmd: ['serve'],
      Volumes: { '/data': {}, '/keys': {} },
      Healthcheck: { Test: ['CMD', '/opt/sotto/bin/node', '/opt/sotto/healthcheck.mjs'] },
    })
  },
)
