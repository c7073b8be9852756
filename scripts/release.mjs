// Builds and checks the packages, writes what belongs to a release into a directory, and says what it would publish:
//
//   npm run release -- [--publish] [--registry URL] [--out DIRECTORY]
//
// It publishes with --publish only. The directory, `.release` by default, is emptied first; it gets the tarballs, the reference of
// the packages, sbom.cdx.json, licenses.txt and script-digests.txt, which `sotto scripts` of the release prints, too.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { manifestIn, publicPackages, undocumentedNames, writeReference } from './api.mjs'
import { checkInstalled, checkTarballs, packPackages, scriptDigests, tarballsIn } from './check-packages.mjs'
import { commandIn } from './child.mjs'
import { licenseText, refusedLicenses } from './release/licenses.mjs'
import { configuredRegistry, planOf, publishAll, tagOf } from './release/publish.mjs'
import { rehearse, tarballsOfRelease } from './release/rehearsal.mjs'
import { refusalsOf } from './release/refusals.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const command = commandIn(ROOT)

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function main() {
  const { values } = parseArgs({
    options: {
      publish: { type: 'boolean', default: false },
      registry: { type: 'string' },
      out: { type: 'string', default: join(ROOT, '.release') },
    },
  })
  const { version } = manifestIn(ROOT)
  const refusals = await refusalsOfCheckout(version)
  if (values.publish) refuse(refusals)
  const out = resolve(values.out)
  await build(out)
  await writeReference(ROOT, join(out, 'reference'))
  writeFileSync(join(out, 'script-digests.txt'), await scriptDigests(command))
  refusals.push(...undocumentedNames(ROOT), ...(await writeLists(out)))
  const registry = values.registry ?? (await configuredRegistry(command, '@sotto'))
  const plan = await planOf(command, registry, tarballsOfRelease(out))
  for (const { name, isPublished } of plan) {
    console.log(`${isPublished ? 'is published' : 'to publish  '} ${name}@${version}`)
  }
  console.log(`in this order, as ${tagOf(version)}, to ${registry}; files in ${out}`)
  refuse(refusals)
  if (values.publish) await publishAll(command, registry, plan, console.log)
  else console.log('Nothing was published: that takes --publish')
}

/** @param {readonly string[]} refusals */
function refuse(refusals) {
  if (refusals.length > 0) throw new Error(['This cannot be published:', ...refusals].join('\n- '))
}

/** @param {string} version */
async function refusalsOfCheckout(version) {
  let gitStatus = ''
  await command('git', ['status', '--porcelain'], { onOutput: (text) => (gitStatus += text) })
  const manifests = [manifestIn(ROOT), ...publicPackages(ROOT).map(({ manifest }) => manifest)]
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  return refusalsOf({ version, manifests, changelog, gitStatus })
}

/** Puts tarballs into the directory that passed the checks of packages. @param {string} out */
async function build(out) {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const directory = mkdtempSync(join(tmpdir(), 'sotto-release-'))
  try {
    await packPackages(command, directory)
    await checkTarballs(command, directory)
    await checkInstalled(command, directory)
    await rehearse(command, directory)
    for (const file of tarballsIn(directory)) copyFileSync(file, join(out, basename(file)))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Writes what an installation on this platform brings: as an SBOM, and by license. @param {string} out
 * @returns {Promise<string[]>} the licenses that are not allowed */
async function writeLists(out) {
  const extent = ['--prod', '--filter', './packages/*']
  const bom = join(out, 'sbom.cdx.json')
  await command('pnpm', [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-spec-version',
    '1.6',
    '--out',
    bom,
    ...extent,
  ])
  let output = ''
  await command('pnpm', ['licenses', 'list', '--json', ...extent], { onOutput: (text) => (output += text) })
  /** @type {unknown} */
  const parsed = JSON.parse(output)
  const licenses = /** @type {import('./release/licenses.mjs').Licenses} */ (parsed)
  writeFileSync(join(out, 'licenses.txt'), licenseText(licenses))
  return refusedLicenses(licenses)
}
