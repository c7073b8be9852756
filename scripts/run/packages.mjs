// The packages that the lockfile names: whether they are installed, and installing them.
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { say } from './messages.mjs'
import { ROOT } from './places.mjs'
import { runQuietly } from './processes.mjs'

/** What a command needs: the packages that the server loads, or those of development also.
 * @typedef {'start' | 'all'} Need */

// The stamp says what the last complete installation was for, and the digest of what it depended on.
const STAMP = join(ROOT, 'node_modules', '.sotto-set-up')
const OPTIONS = ['install', '--frozen-lockfile', '--prefer-offline']

/** @param {Need} need */
export function hasPackages(need) {
  if (!fs.existsSync(STAMP)) return false
  const [installed, digest] = fs.readFileSync(STAMP, 'utf8').split(' ')
  return digest === fingerprint() && (need === 'start' || (installed === 'all' && hasDevelopment()))
}

/** Never removes packages: where those of development are installed, they are kept up to date.
 * @param {Need} need @param {NodeJS.ProcessEnv} env */
export async function installPackages(need, env) {
  const installed = hasDevelopment() ? 'all' : need
  say(installed === 'all' ? 'installing packages …' : 'installing the packages that a start needs …')
  fs.rmSync(STAMP, { force: true }) // an interrupted installation has none
  // --prod=false: NODE_ENV=production must not leave out what the tests need.
  const extent = installed === 'all' ? ['--prod=false'] : ['--prod', '--filter', '@sotto/server...']
  await runQuietly('pnpm', [...OPTIONS, ...extent], env)
  fs.writeFileSync(STAMP, `${installed} ${fingerprint()}`)
}

/** TypeScript stands for all packages of development: only the checkout's own package.json names it. */
function hasDevelopment() {
  return fs.existsSync(join(ROOT, 'node_modules', 'typescript'))
}

/** A digest of everything that an installation depends on. */
function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  const folders = fs.readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name))
  const manifests = ['.', 'lab', ...folders.sort()].map((folder) => join(folder, 'package.json'))
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests]) {
    const path = join(ROOT, file)
    if (fs.existsSync(path)) hash.update(file).update(fs.readFileSync(path))
  }
  return hash.digest('hex')
}
