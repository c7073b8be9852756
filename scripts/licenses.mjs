// The licences of what a bundle contains beside the service itself: Node.js, the packages that are part of the built files or lie beside
// them, and in an image the system's libraries. All of them ask that their text goes with every copy.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

/** A licence as it is printed. @typedef {{ title: string, text: string }} License */

/**
 * The text of all licences, one after the other.
 * @param {License[]} licenses
 * @returns {string}
 */
export function licenseDocument(licenses) {
  const rule = '='.repeat(80)
  const sections = licenses.map(({ title, text }) => `${rule}\n${title}\n${rule}\n\n${text.trim()}\n`)
  return `This bundle contains software of others, under these licences.\n\n${sections.join('\n')}`
}

/** The licence of the Node.js that runs this program, where its archives, its npm packages and Debian put it. @returns {License} */
export function nodeLicense() {
  const prefix = join(dirname(realpathSync(process.execPath)), '..')
  const files = ['LICENSE', 'share/doc/nodejs/LICENSE', 'share/doc/nodejs/copyright']
  const file = files.map((name) => join(prefix, name)).find((path) => existsSync(path))
  if (file === undefined) throw new Error(`there is no licence of Node.js in ${prefix}`)
  return { title: `Node.js ${process.versions.node}`, text: readFileSync(file, 'utf8') }
}

/**
 * The directories of the packages that files are from, except those of this repository.
 * @param {string[]} files absolute paths
 * @returns {string[]}
 */
export function packagesOf(files) {
  const folder = `${sep}node_modules${sep}`
  const directories = files.flatMap((file) => {
    const start = file.lastIndexOf(folder) + folder.length
    if (start < folder.length) return []
    const [scope = '', name = ''] = file.slice(start).split(sep)
    return [file.slice(0, start) + (scope.startsWith('@') ? join(scope, name) : scope)]
  })
  return [...new Set(directories)]
}

/**
 * What a package says about its licence.
 * @param {string} directory
 * @returns {License}
 */
export function packageLicense(directory) {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const { name, version, license } = /** @type {{ name: string, version: string, license?: string }} */ (
    manifest
  )
  const files = readdirSync(directory).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(directory, file), 'utf8').trim())
  if (texts.length === 0 && license === undefined) throw new Error(`${name} has no licence`)
  const text = texts.length > 0 ? texts.join('\n\n') : `Its package has no text of its licence, ${license}.`
  return { title: `${name} ${version} (${license})`, text }
}

/**
 * The licences of shared libraries, as far as the package manager of Debian knows them.
 * @param {string[]} libraries
 * @returns {License[]}
 */
export function licensesOfLibraries(libraries) {
  const owners = libraries.map((library) => {
    const path = realpathSync(library)
    const names = [path, join('/usr', path), library]
    const found = names.map((name) => spawnSync('dpkg', ['-S', name], { encoding: 'utf8' }))
    return /^([^:,\s]+)/.exec(found.find(({ status }) => status === 0)?.stdout ?? '')?.[1]
  })
  return [...new Set(owners)].flatMap((owner) => {
    const file = resolve('/usr/share/doc', basename(owner ?? ''), 'copyright')
    return owner !== undefined && existsSync(file)
      ? [{ title: `${owner}, of Debian`, text: readFileSync(file, 'utf8') }]
      : []
  })
}
