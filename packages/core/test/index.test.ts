import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMemoryPorts } from '@sotto/test-kit'
import * as core from '../src/index.ts'

const sources = join(import.meta.dirname, '..', 'src')
const index = readFileSync(join(sources, 'index.ts'), 'utf8')

/** Files of src/use-cases that hold what several use-cases share. */
const shared = [
  ...[
    'account-passwords.ts',
    'accounts.ts',
    'active-key.ts',
    'corruption.ts',
    'attempt-sign-in.ts',
    'count-mails.ts',
    'erase-all.ts',
  ],
  ...[
    'ids.ts',
    'insert-secret.ts',
    'known-addresses.ts',
    'known-keys.ts',
    'links.ts',
    'mail-route.ts',
    'mails.ts',
    'pages.ts',
    'routes.ts',
    'secret-overviews.ts',
  ],
  ...['sessions.ts', 'show-secret.ts', 'webhook-route.ts', 'webhooks.ts', 'invitations.ts'],
]

/** Functions beside use-cases that other use-cases share. */
const helpers = ['countTest']

/** One use-case: a function that a file of src/use-cases exports. */
interface UseCase {
  readonly file: string
  readonly name: string
}

const useCases: readonly UseCase[] = readdirSync(join(sources, 'use-cases'))
  .filter((file) => !shared.includes(file))
  .flatMap((file) => {
    const text = readFileSync(join(sources, 'use-cases', file), 'utf8')
    const functions = text.matchAll(/^export (?:async )?function\*? ?(\w+)[(<]/gm)
    return [...functions].map(([, name = '']) => ({ file, name }))
  })
  .filter(({ name }) => !helpers.includes(name))

t.test('every use-case is a file of its name, or shares one with a use-case that has it', (t) => {
  t.ok(useCases.length >= 64, `${String(useCases.length)} use-cases are read`)
  for (const file of new Set(useCases.map((useCase) => useCase.file))) {
    const names = useCases.filter((useCase) => useCase.file === file).map(({ name }) => name)
    t.ok(names.includes(camelCase(file)), `${file} exports ${camelCase(file)}`)
  }
  const files = readdirSync(join(sources, 'use-cases')).filter((file) => !shared.includes(file))
  t.strictSame([...new Set(useCases.map(({ file }) => file))], files, 'no file is left out')
  t.end()
})

t.test('createSotto binds every use-case under its own name, and nothing else', (t) => {
  const chosen = { ...core.defaultPolicy, noteMaxBytes: 1 }
  t.equal(core.createSotto({ ports: createMemoryPorts(), policy: chosen }).policy, chosen)
  const { policy, ...bound } = core.createSotto({ ports: createMemoryPorts() })
  t.equal(policy, core.defaultPolicy)
  t.strictSame(Object.keys(bound).toSorted(), useCases.map(({ name }) => name).toSorted())
  t.end()
})

const importsOfCore =
  /(?:import|export) (?:type )?\{([^}]*)\} from '(?:@sotto\/core|[./]*packages\/core\/src\/index\.ts)'/g

/** What is exported for embedders, whether something here imports it or not. */
const forEmbedders = [
  ...['SottoOptions', 'SottoError', 'SottoErrorCode', 'PortMethods', 'SecretsOptions'],
  ...['createFolders', 'createIdentity', 'createNotify', 'createUpkeep'],
]

t.test('core exports at most 280 names, each for somebody outside', (t) => {
  const exported = exportedNames()
  t.ok(exported.length <= 280, `${String(exported.length)} names are exported`)
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

function camelCase(file: string): string {
  return file.replace(/\.ts$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
