import { readFileSync, readdirSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { exampleNames } from '../check-examples.mjs'
import { PACK } from '../check-packages.mjs'

// What the examples look like. `npm run check` runs them.

const examples = join(import.meta.dirname, '..', '..', 'examples')
const read = (...path: string[]) => readFileSync(join(examples, ...path), 'utf8')

interface Manifest {
  readonly private: boolean
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

for (const name of exampleNames) {
  const manifest = JSON.parse(read(name, 'package.json')) as Manifest
  const sources = readdirSync(join(examples, name)).filter((file) => file.endsWith('.ts'))

  t.test(`${name}: names each package that its files import, is never published, and has a test`, (t) => {
    t.equal(manifest.private, true)
    t.ok(manifest.scripts['test'])
    for (const file of sources) {
      const isTest = /test|harness/.test(file)
      const given = { ...manifest.dependencies, ...(isTest ? manifest.devDependencies : {}) }
      for (const [, imported = ''] of read(name, file).matchAll(/from '([^'.][^']*)'/g)) {
        const [scope = '', rest] = imported.split('/')
        const wanted = scope.startsWith('@') ? `${scope}/${rest ?? ''}` : scope
        t.ok(isBuiltin(imported) || wanted in given, `${file}: ${imported}`)
      }
    }
    t.end()
  })

  t.test(`${name}: asks for the version of the packages that is in this checkout`, (t) => {
    for (const [wanted, range] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (!wanted.startsWith('@sotto/')) continue
      const { version } = JSON.parse(
        read('..', 'packages', wanted.slice('@sotto/'.length), 'package.json'),
      ) as { version: string }
      t.equal(range, `^${version}`, wanted)
    }
    t.end()
  })

  t.test(`${name}: is explained in the README of the examples`, (t) => {
    t.ok(read('README.md').includes(`](${name}/`))
    t.end()
  })
}

t.test('the examples are as short as the README says', (t) => {
  const linesOf = (...path: string[]) => read(...path).split('\n').length - 1
  t.ok(linesOf('core', 'sotto.ts') <= 30)
  t.ok(linesOf('hono', 'app.ts') < 60)
  t.end()
})

t.test(
  'npm run pack and npm run build install what they need, also after a start has installed its part',
  (t) => {
    const { scripts } = JSON.parse(read('..', 'package.json')) as Manifest
    for (const name of ['pack', 'build'])
      t.match(scripts[name], /^node scripts\/run\.mjs setup && exec node scripts\/run\.mjs exec pnpm /, name)
    t.end()
  },
)

t.test('npm run pack packs as the check of the packages does', (t) => {
  const { scripts } = JSON.parse(read('..', 'package.json')) as Manifest
  t.match(
    scripts['pack']?.replaceAll("'", ''),
    new RegExp(` exec pnpm ${PACK.join(' ').replaceAll('*', '\\*')}$`),
  )
  t.end()
})
