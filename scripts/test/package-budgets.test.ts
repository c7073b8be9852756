import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { TARBALL_BYTES, checkServerCharacters, problemsOf, reachableFrom } from '../package-budgets.mjs'

t.test('every package has a budget, and no other has', (t) => {
  const packages = readdirSync(join(import.meta.dirname, '..', '..', 'packages'))
  t.strictSame(Object.keys(TARBALL_BYTES).toSorted(), packages.toSorted())
  t.end()
})

t.test('a tarball above its budget and one without a budget are named', (t) => {
  const most = TARBALL_BYTES.core
  t.strictSame(problemsOf([['core', most]]), [])
  t.strictSame(problemsOf([['core', most + 1]]), [`core has ${most + 1} bytes packed; its budget is ${most}`])
  t.match(problemsOf([['unheard-of', 1]]), ['unheard-of has no budget in scripts/package-budgets.mjs'])
  t.end()
})

t.test('what a package brings is found as Node.js finds it, the nearest copy first', (t) => {
  const packages = {
    '': { dependencies: { '@sotto/server': '*', left: '*' } },
    'node_modules/@sotto/server': { dependencies: { a: '*' }, peerDependencies: { b: '*' } },
    'node_modules/a': { dependencies: { b: '*' }, optionalDependencies: { 'of-another-platform': '*' } },
    'node_modules/a/node_modules/b': { dependencies: { a: '*' } },
    'node_modules/b': {},
    'node_modules/left': {},
  }
  t.strictSame(
    [...reachableFrom('node_modules/@sotto/server', packages)],
    ['node_modules/@sotto/server', 'node_modules/a', 'node_modules/b', 'node_modules/a/node_modules/b'],
  )
  t.end()
})

t.test('a built file of the server with a character beyond ASCII is named', (t) => {
  const cwd = t.testdir()
  const dist = join(cwd, 'node_modules', '@sotto', 'server', 'dist')
  mkdirSync(dist, { recursive: true })
  t.throws(() => checkServerCharacters(cwd), /no file at all/)
  writeFileSync(join(dist, 'sotto.js'), 'e')
  t.doesNotThrow(() => checkServerCharacters(cwd))
  writeFileSync(join(dist, 'page.js'), 'é')
  t.throws(() => checkServerCharacters(cwd), { message: 'characters beyond ASCII in page.js' })
  t.end()
})
