// Publishes the packed packages to a registry on this machine and installs `@sotto/server` from it, as users of a release do.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { publicPackages } from '../api.mjs'
import { checkCommand, npmInstall } from '../check-packages.mjs'
import { startLocalRegistry } from './local-registry.mjs'
import { inDependencyOrder } from './order.mjs'
import { planOf, publishAll } from './publish.mjs'

const ROOT = resolve(import.meta.dirname, '..', '..')

/** The tarballs in a directory, in the order of publishing. @param {string} directory @returns {import('./publish.mjs').Tarball[]} */
export function tarballsOfRelease(directory) {
  return inDependencyOrder(publicPackages(ROOT)).map(({ manifest: { name, version } }) => {
    const file = join(directory, `${name.slice(1).replace('/', '-')}-${version}.tgz`)
    return { name, version, file }
  })
}

/** @param {import('./publish.mjs').Command} command @param {string} directory with the tarballs; the project is made below it */
export async function rehearse(command, directory) {
  const registry = await startLocalRegistry()
  try {
    const plan = await planOf(command, registry.url, tarballsOfRelease(directory))
    await publishAll(command, registry.url, plan)
    const cwd = join(directory, 'published')
    mkdirSync(cwd)
    writeFileSync(
      join(cwd, 'package.json'),
      JSON.stringify({ private: true, dependencies: { '@sotto/server': 'latest' } }),
    )
    writeFileSync(join(cwd, '.npmrc'), `@sotto:registry=${registry.url}\n`)
    await npmInstall(command, cwd)
    await checkCommand(command, cwd)
  } finally {
    await registry.close()
  }
}
