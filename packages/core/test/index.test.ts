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

/** One use-case: a function that index.ts exports from src/use-cases. */
interface UseCase {
  readonly file: string
  readonly name: string
  /** How it is declared, up to its result. */
  readonly signature: string
}

const useCases: readonly UseCase[] = readdirSync(join(sources, 'use-cases'))
  .filter((file) => !shared.includes(file))
  .flatMap((file) => {
    const text = readFileSync(join(sources, 'use-cases', file), 'utf8')
    return [...text.matchAll(/^export (?:async )?function\*? ?(\w+)\(([^]*?)\n?\): /gm)].map(
      ([, name = '', signature = '']) => ({ file, name, signature }),
    )
  })

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

t.test('every use-case is exported with the types of its deps, its input and its errors', (t) => {
  for (const { file, name, signature } of useCases) {
    t.type(core[name as keyof typeof core], 'function', name)
    const exported = typesFrom(file)
    const wanted = ['Deps', 'Error', ...(signature.includes('Input') ? ['Input'] : [])]
    for (const suffix of wanted) {
      const type = `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}${suffix}`
      t.ok(exported.includes(type), `index.ts exports ${type}`)
    }
  }
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

t.test('every port, entity and rule file has a public export', (t) => {
  for (const directory of ['entities', 'ports', 'rules']) {
    for (const file of readdirSync(join(sources, directory))) {
      if (file === 'inputs.ts') continue
      t.ok(index.includes(`from './${directory}/${file}'`), `${directory}/${file}`)
    }
  }
  t.end()
})

/** Names of the types that index.ts exports from a file of src/use-cases. */
function typesFrom(file: string): readonly string[] {
  const statement = new RegExp(`^export (type )?\\{([^}]*)\\} from './use-cases/${file}'`, 'm').exec(index)
  const [, allAreTypes, names = ''] = statement ?? []
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => allAreTypes !== undefined || name.startsWith('type '))
    .map((name) => name.replace(/^type /, ''))
}

function camelCase(file: string): string {
  return file.replace(/\.ts$/, '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
