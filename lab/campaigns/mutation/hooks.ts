import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative, resolve as resolvePath, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Imports } from './messages.ts'

/** What follows the URLs of the memory storage that histories compare with. */
const model = '?model'

export interface Hooks {
  /** The instrumented sources, by their paths from the root of the checkout. */
  code: Readonly<Record<string, string>>
  /** Modules that are imported under a higher number are loaded again, with all of ours that they import. */
  generation: number
  /** What was imported so far. */
  imports(): Imports
  /** What follows the URL of a module of this generation. */
  query(): string
}

/** Makes imports of `tap` load the collector, and imports of instrumented files what stands for them. No file is changed. */
export function installHooks(root: string): Hooks {
  const collector = new URL('collector.ts', import.meta.url).href
  const histories = pathToFileURL(resolvePath(root, 'packages/test-kit/src/storage/histories.ts')).href
  const packages = pathToFileURL(`${root}${sep}packages${sep}`).href
  const stripped = createStrip()
  const imported = new Map<string, Set<string>>()
  const pathOf = (url: string) => relative(root, fileURLToPath(url.split('?')[0] ?? ''))
  const recordImport = (by: string | undefined, url: string): void => {
    if (by === undefined || !isOurs(by)) return
    const all = imported.get(pathOf(by)) ?? new Set()
    imported.set(pathOf(by), all.add(pathOf(url)))
  }
  const hooks: Hooks = {
    code: {},
    generation: 0,
    imports: () => Object.fromEntries([...imported].map(([by, all]) => [by, [...all]])),
    query: () => (hooks.generation === 0 ? '' : `?generation=${hooks.generation}`),
  }
  const isOurs = (url: string) => url.startsWith(packages) && !url.includes('/node_modules/')

  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'tap' && context.parentURL !== collector)
        return { url: collector, shortCircuit: true }
      const resolved = next(specifier, context)
      if (!isOurs(resolved.url) || resolved.url.includes('?')) return resolved
      // Histories compare with a memory storage that has no mutants.
      const { parentURL: by = '' } = context
      const isModel = by.startsWith(histories) && resolved.url.endsWith('/memory-storage.ts')
      if (isModel || by.endsWith(model)) return { ...resolved, url: resolved.url + model }
      if (hooks.generation === 0) recordImport(context.parentURL, resolved.url)
      return { ...resolved, url: resolved.url + hooks.query() }
    },
    load(url, context, next) {
      const [address = ''] = url.split('?')
      if (!isOurs(address) || !address.endsWith('.ts')) return next(url, context)
      const changed = url.endsWith(model) ? undefined : hooks.code[pathOf(address)]
      const source = changed ?? stripped(fileURLToPath(address))
      return { format: 'module', source, shortCircuit: true }
    },
  })
  return hooks
}

/** Reads a module without its types; a second time from memory. */
function createStrip(): (path: string) => string {
  const known = new Map<string, string>()
  return (path) => {
    const source = known.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'), { mode: 'strip' })
    known.set(path, source)
    return source
  }
}
