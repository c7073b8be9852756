// Writes what is made from sources: `npm run write NAME [-- ARGUMENTS]`. Without a name it lists what there is.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** @type {Readonly<Record<string, string>>} */
const programs = {
  api: 'scripts/api.mjs',
  configuration: 'packages/server/src/config/write-document.ts',
  fixture: 'packages/server/test/fixtures/write-fixture.ts',
  languages: 'scripts/languages.mjs',
  promises: 'scripts/promises.mjs',
  repository: 'scripts/repository.mjs',
  rules: 'packages/test-kit/test/rules.ts',
  'sealed-scripts': 'packages/html/browser/write-sealed-scripts.ts',
  screenshots: 'packages/server/test/browser/write-screenshots.ts',
  weights: 'scripts/weights.mjs',
}

const [name = '', ...args] = process.argv.slice(2)
const program = Object.hasOwn(programs, name) ? programs[name] : undefined
if (program === undefined) {
  console.error(`usage: npm run write ${Object.keys(programs).join('|')} [-- ARGUMENTS]`)
  process.exitCode = 2
} else {
  const path = resolve(import.meta.dirname, '..', program)
  process.exitCode = spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' }).status ?? 1
}
