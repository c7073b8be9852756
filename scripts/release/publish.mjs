// Publishes tarballs. What an earlier run has published is skipped, so a run that was cut off can be repeated.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** @typedef {{ name: string, version: string, file: string }} Tarball
 * @typedef {Tarball & { integrity: string, isPublished: boolean }} Planned
 * @typedef {import('../check-packages.mjs').Command} Command */

/** Asks the registry what it has of each tarball. @param {Command} command @param {string} registry @param {readonly Tarball[]} tarballs
 * @returns {Promise<Planned[]>} in the same order
 * @throws when it has a version with another content: a version cannot be published twice */
export async function planOf(command, registry, tarballs) {
  /** @type {Planned[]} */
  const plan = []
  for (const tarball of tarballs) {
    const integrity = integrityOf(tarball.file)
    const published = await publishedIntegrity(command, registry, tarball)
    if (published !== undefined && published !== integrity) {
      throw new Error(
        `${nameOf(tarball)} is on ${registry} with another content (${published}): raise the version`,
      )
    }
    plan.push({ ...tarball, integrity, isPublished: published !== undefined })
  }
  return plan
}

/** Publishes what is not published, one package after the other, and reads each back.
 * @param {Command} command @param {string} registry @param {readonly Planned[]} plan @param {(line: string) => void} [say] */
export async function publishAll(command, registry, plan, say = () => undefined) {
  for (const tarball of plan) {
    if (tarball.isPublished) {
      say(`${nameOf(tarball)} is published already`)
      continue
    }
    await command('pnpm', [
      'publish',
      tarball.file,
      ...optionsOf(registry),
      '--tag',
      tagOf(tarball.version),
      '--no-git-checks',
    ])
    const published = await publishedIntegrity(command, registry, tarball)
    if (published !== tarball.integrity) {
      throw new Error(
        `${nameOf(tarball)} was published, but ${registry} answers ${published ?? 'that it has none'}`,
      )
    }
    say(`${nameOf(tarball)} published`)
  }
}

/** The tag that a version gets: what `npm install` takes without one, unless it is a version before a release.
 * @param {string} version */
export function tagOf(version) {
  return version.includes('-') ? 'next' : 'latest'
}

/** The registry that pnpm publishes packages of this scope to. @param {Command} command @param {string} scope */
export async function configuredRegistry(command, scope) {
  for (const key of [`${scope}:registry`, 'registry']) {
    let output = ''
    await command('pnpm', ['config', 'get', key], { onOutput: (text) => (output += text) })
    if (URL.canParse(output.trim())) return output.trim()
  }
  throw new Error('No registry is configured')
}

/** @param {Command} command @param {string} registry @param {Tarball} tarball @returns {Promise<string | undefined>} */
async function publishedIntegrity(command, registry, tarball) {
  let output = ''
  try {
    await command('pnpm', ['view', nameOf(tarball), 'dist.integrity', '--json', ...optionsOf(registry)], {
      onOutput: (text) => (output += text),
    })
  } catch (error) {
    if (/"ERR_PNPM_(?:FETCH_404|PACKAGE_NOT_FOUND)"/.test(output)) return undefined
    throw error
  }
  return String(JSON.parse(output))
}

/** The options that name the registry, also for the scope: a setting for that would otherwise win. @param {string} registry */
function optionsOf(registry) {
  return ['--registry', registry, `--config.@sotto:registry=${registry}`]
}

/** Subresource Integrity, as registries and lockfiles write it. @param {string} file */
function integrityOf(file) {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
}

/** @param {Tarball} tarball */
function nameOf({ name, version }) {
  return `${name}@${version}`
}
