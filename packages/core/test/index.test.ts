import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMemoryPorts } from '@sotto/test-kit'
import * as core from '../src/index.ts'

const sources = join(import.meta.dirname, '..', 'src')
const index = readFileSync(join(sources, 'index.ts'), 'utf8')

/** What is declared as a use-case. */
const useCases: readonly string[] = globSync('*/**/*.ts', { cwd: sources }).flatMap((file) => {
  const text = readFileSync(join(sources, file), 'utf8')
  return [...text.matchAll(/^export const (\w+) = (?:use|list)Case\(/gm)].map(([, name = '']) => name)
})

t.test('createSotto binds every use-case under its own name, and nothing else', (t) => {
  t.ok(useCases.length >= 70, `${String(useCases.length)} use-cases are read`)
  const chosen = { ...core.defaultPolicy, noteMaxBytes: 1 }
  t.equal(core.createSotto({ ports: createMemoryPorts(), policy: chosen }).policy, chosen)
  const { policy, ...bound } = core.createSotto({ ports: createMemoryPorts() })
  t.equal(policy, core.defaultPolicy)
  t.strictSame(Object.keys(bound).toSorted(), useCases.toSorted())
  t.end()
})

const importsOfCore =
  /(?:import|export) (?:type )?\{([^}]*)\} from '(?:@sotto\/core|[./]*packages\/core\/src\/index\.ts)'/g

/** What is exported for embedders, whether something here imports it or not. */
const forEmbedders = [
  ...['SottoOptions', 'SottoError', 'SottoErrorCode', 'SecretsOptions', 'List', 'suggestedPassword'],
  ...['createAccounts', 'createFiles', 'createFolders', 'createNotify', 'createRequests', 'createUpkeep'],
]

t.test('core exports at most 399 names, each for somebody outside', (t) => {
  const exported = exportedNames()
  t.ok(exported.length <= 399, `${String(exported.length)} names are exported`)
  t.ok(exported.length >= 200, 'all of them are read')
  t.equal(new Set(exported).size, exported.length)
  const root = join(import.meta.dirname, '..', '..', '..')
  const imported = new Set([...forEmbedders, ...importedUnder(root)])
  t.strictSame(
    exported.filter((name) => !imported.has(name)),
    [],
    'names that nobody imports',
  )
  t.end()
})

/** What index.ts exports, by name or with a `*` from a file. */
function exportedNames(): readonly string[] {
  const wholeFiles = [...index.matchAll(/^export (?:type )?\* from '\.\/(.+)'/gm)].flatMap(
    ([, file = '']) => {
      const text = readFileSync(join(sources, file), 'utf8')
      return [...text.matchAll(/^export (?:async )?(?:type|interface|function\*?|const) (\w+)/gm)]
    },
  )
  return [
    ...namesIn(index, /^export (?:type )?\{([^}]*)\} from/gm),
    ...wholeFiles.map(([, name = '']) => name),
  ]
}

t.test('each building block is one for the sources of another package', (t) => {
  const packages = join(import.meta.dirname, '..', '..')
  const imports = /import (?:type )?\{([^}]*)\} from '@sotto\/core\/building-blocks'/g
  const used = globSync('*/src/**/*.ts', { cwd: packages }).flatMap((file) =>
    namesIn(readFileSync(join(packages, file), 'utf8'), imports).map((name) => name.replace(/ as .*/, '')),
  )
  const blocks = namesIn(
    readFileSync(join(sources, 'building-blocks', 'index.ts'), 'utf8'),
    /^export (?:type )?\{([^}]*)\} from/gm,
  )
  t.ok(blocks.length > 50, 'all of them are read')
  // The declarations of use-cases name these.
  const named = ['Need', 'UseCase', 'ListCase', 'None', 'InputInvalid', 'GetAccountError', 'ExportError']
  t.strictSame(blocks.filter((name) => !used.includes(name)).toSorted(), named.toSorted())
  t.end()
})

/** Names that the files under a directory of the repository import from core, core itself left out. */
function importedUnder(directory: string): readonly string[] {
  const entries = readdirSync(directory, { withFileTypes: true })
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return isLeftOut(path) ? [] : importedUnder(path)
    if (!entry.isFile() || !/\.(ts|mjs|md)$/.test(entry.name)) return []
    return namesIn(readFileSync(path, 'utf8'), importsOfCore)
  })
}

function isLeftOut(path: string): boolean {
  return /\/(node_modules|dist|\..*|core\/src|core\/test)$/.test(path)
}

function namesIn(text: string, statements: RegExp): readonly string[] {
  return [...text.matchAll(statements)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  )
}
