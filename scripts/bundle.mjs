// Puts all that a machine needs to run the service into a new directory: bin/node, app/, and deploy/ with what systemd, fail2ban, Prometheus and
// Grafana are given. app/ is the built command with its native modules and the licences of all that is not the service's own. No compiler, no package manager and no Node.js is needed where it runs.
//
//   npm run bundle -- DIRECTORY            for a machine with the same processor and a glibc that is not older
//   npm run bundle -- --image DIRECTORY    for a container image FROM scratch: root/ with the same in opt/sotto, and glibc; volumes/
//                                          with the directories that belong to the service's user
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { licenseDocument, licensesOfLibraries, nodeLicense, packageLicense, packagesOf } from './licenses.mjs'

const SERVER = resolve(import.meta.dirname, '..', 'packages', 'server')
/** The user and group of the service in an image, as in deploy/container/Containerfile. */
const IMAGE_USER = 10_001

main(process.argv.slice(2))

/** @param {string[]} argv */
function main(argv) {
  const isImage = argv[0] === '--image'
  const [directory, ...others] = isImage ? argv.slice(1) : argv
  if (directory === undefined || directory.startsWith('-') || others.length > 0)
    end('usage: npm run bundle -- [--image] DIRECTORY', 2)
  if (process.platform !== 'linux') end('a bundle can be made on Linux only', 1)
  const root = resolve(process.env['INIT_CWD'] ?? '.', directory)
  if (existsSync(root)) end(`${root} exists`, 1)
  const place = isImage ? join(root, 'root', 'opt', 'sotto') : root
  const { programs, licenses } = makeBundle(place)
  if (!isImage) copyDeployment(join(place, 'deploy'))
  if (isImage) licenses.push(...licensesOfLibraries(addSystemFiles(root, programs)))
  writeFileSync(join(place, 'THIRD-PARTY-LICENSES'), licenseDocument(licenses))
  console.log(root)
}

/**
 * Makes `bin` and `app`.
 * @param {string} place
 * @returns {{ programs: string[], licenses: import('./licenses.mjs').License[] }} the files with machine code, and the licences of others
 */
function makeBundle(place) {
  const node = join(place, 'bin', 'node')
  const app = join(place, 'app')
  copy(realpathSync(process.execPath), node)
  chmodSync(node, 0o755)
  const sources = build(join(app, 'dist'))
  for (const name of ['package.json', 'README.md']) copy(join(SERVER, name), join(app, name))
  copy(join(SERVER, '..', '..', 'LICENSE'), join(app, 'LICENSE'))
  const natives = copyNatives(join(app, 'node_modules'))
  const packages = [...new Set([...packagesOf(sources), ...natives.packages])].map(packageLicense)
  const byTitle = packages.toSorted((one, other) => (one.title < other.title ? -1 : 1))
  return { programs: [node, ...natives.programs], licenses: [nodeLicense(), ...byTitle] }
}

/** Builds as the package does, without its source maps. @param {string} outdir @returns {string[]} the files that it was built from */
function build(outdir) {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(join(SERVER, 'package.json'), 'utf8'))
  const { scripts } = /** @type {{ scripts: { build: string } }} */ (manifest)
  const command = scripts.build
    .replace(' --sourcemap --sources-content=false', '')
    .replace('--outdir=dist', '--outdir="$0" --metafile="$0/meta.json"')
  const PATH = `${join(SERVER, 'node_modules', '.bin')}:${process.env['PATH']}`
  const { status } = spawnSync('sh', ['-c', command, outdir], {
    cwd: SERVER,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) end('the build failed', 1)
  const file = join(outdir, 'meta.json')
  /** @type {unknown} */
  const meta = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return Object.keys(/** @type {{ inputs: object }} */ (meta).inputs).map((path) => resolve(SERVER, path))
}

/**
 * Copies the modules that are not part of the built files.
 * @param {string} modules
 * @returns {{ programs: string[], packages: string[] }} the files with machine code, and where the packages are installed
 */
function copyNatives(modules) {
  const sqlite = packageDirectory('better-sqlite3', join(SERVER, '..', 'adapter-sqlite'))
  const machine = `linux-${process.arch}`
  for (const name of ['package.json', 'LICENSE', 'lib', `prebuilds/${machine}.node`])
    copy(join(sqlite, name), join(modules, 'better-sqlite3', name))
  const argon2 = packageDirectory('@node-rs/argon2', SERVER)
  for (const name of ['package.json', 'LICENSE', 'index.js'])
    copy(join(argon2, name), join(modules, '@node-rs', 'argon2', name))
  const prebuilt = `argon2-${machine}-gnu`
  copy(packageDirectory(`@node-rs/${prebuilt}`, argon2), join(modules, '@node-rs', prebuilt))
  const programs = [
    join(modules, 'better-sqlite3', 'prebuilds', `${machine}.node`),
    ...readdirSync(join(modules, '@node-rs', prebuilt))
      .filter((name) => name.endsWith('.node'))
      .map((name) => join(modules, '@node-rs', prebuilt, name)),
  ]
  return { programs, packages: [sqlite, argon2] }
}

/** Copies what other programs of the machine are given. @param {string} deploy */
function copyDeployment(deploy) {
  const from = join(import.meta.dirname, '..', 'deploy')
  for (const name of ['systemd', 'fail2ban', 'prometheus', 'grafana'])
    copy(join(from, name), join(deploy, name))
}

/** @param {string} name @param {string} user the directory of a package that depends on it @returns {string} */
function packageDirectory(name, user) {
  const require = createRequire(join(realpathSync(user), 'package.json'))
  const found = (require.resolve.paths(name) ?? [])
    .map((path) => join(path, name))
    .find((path) => existsSync(path))
  return found === undefined ? end(`${name} is not installed`, 1) : realpathSync(found)
}

/**
 * Adds what the machine would have: shared libraries, a user, and directories to write to.
 * @param {string} image
 * @param {string[]} programs
 * @returns {string[]} the shared libraries
 */
function addSystemFiles(image, programs) {
  const root = join(image, 'root')
  const libraries = [...new Set(programs.flatMap(librariesOf))]
  for (const library of libraries) copy(realpathSync(library), join(root, library))
  const healthcheck = join(import.meta.dirname, '..', 'deploy', 'container', 'healthcheck.mjs')
  copy(healthcheck, join(root, 'opt', 'sotto', 'healthcheck.mjs'))
  mkdirSync(join(root, 'etc'), { recursive: true })
  writeFileSync(join(root, 'etc', 'passwd'), `sotto:x:${IMAGE_USER}:${IMAGE_USER}:Sotto:/:/sbin/nologin\n`)
  writeFileSync(join(root, 'etc', 'group'), `sotto:x:${IMAGE_USER}:\n`)
  mkdirSync(join(root, 'tmp'))
  chmodSync(join(root, 'tmp'), 0o1777)
  for (const name of ['data', 'keys'])
    mkdirSync(join(image, 'volumes', name), { recursive: true, mode: 0o700 })
  return libraries
}

/** The shared libraries that a file with machine code needs. @param {string} file @returns {string[]} */
function librariesOf(file) {
  const { status, stdout } = spawnSync('ldd', [file], { encoding: 'utf8' })
  if (status !== 0) end(`ldd cannot read ${file}`, 1)
  return [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path)
}

/** @param {string} from @param {string} to */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}

/** @param {string} message @param {number} code @returns {never} */
function end(message, code) {
  console.error(message)
  process.exit(code)
}
