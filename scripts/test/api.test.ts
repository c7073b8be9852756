import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { problemsOfReference, unrecordedNames, writeReference } from '../api.mjs'

const declarations = `/** Makes folders. */
export interface MakerOptions {
    /** How many at most. */
    readonly most: number;
    readonly store: Store;
}
export interface CreateFolderInput {
    readonly id: string;
    readonly openedMicros: number;
    readonly opens: number;
}
/**
 * Creates a folder of {@link MakerOptions}.
 * @param input its fields
 * @throws TypeError when there are too many
 */
export declare function createFolder(input: CreateFolderInput): void;
/** A store, whose \`size\` is in rows. */
export interface Store {
    readonly size: number;
    close(): void;
}
export declare const undescribed = 1;
`
const described = declarations
  .replace('    readonly store', '    /** Where to. */\n    readonly store')
  .replace('    readonly opens', '    /** How often. */\n    readonly opens')
  .replace('    close', '    /** Ends it. */\n    close')
  .replace('export declare const', '/** One. */\nexport declare const')

t.test('a reference is complete and up to date after it was written', async (t) => {
  const { root } = await checkout(t)
  t.strictSame(await problemsOfReference(root), [])
  t.matchOnly(readFileSync(join(root, 'docs/api/README.md'), 'utf8'), /\[@made\/up\]\(up\.md\) +\| Made up/)
})

t.test('a reference has docstrings as text, and the types of a function with it', async (t) => {
  const { root } = await checkout(t)
  const text = readFileSync(join(root, 'docs/api/up.md'), 'utf8')
  t.match(
    text,
    '## createFolder\n\nCreates a folder of `MakerOptions`.\n\n- `input`: its fields\n- _throws_: TypeError when',
  )
  t.match(
    text,
    /function createFolder\(input: CreateFolderInput\): void\n\ninterface CreateFolderInput \{\n {2}readonly id/,
  )
  t.notMatch(text, '## CreateFolderInput')
})

t.test('names, functions, options and numbers without a unit need a docstring', async (t) => {
  const { root } = await checkout(t, declarations)
  t.strictSame(await problemsOfReference(root), [
    '@made/up CreateFolderInput.opens has no docstring',
    '@made/up MakerOptions.store has no docstring',
    '@made/up Store.close has no docstring',
    '@made/up undescribed has no docstring',
  ])
})

t.test('a reference that was not written again is out of date', async (t) => {
  const { root, declare } = await checkout(t)
  declare(described.replace('/** One. */', '/** The number one. */'))
  t.strictSame(await problemsOfReference(root), ['docs/api/up.md is out of date: run npm run docs:api'])
  await writeReference(root, false)
  t.strictSame(await problemsOfReference(root), [])
  writeFileSync(join(root, 'docs/api/gone.md'), 'of a package that is gone')
  t.strictSame(await problemsOfReference(root), ['docs/api/gone.md is out of date: run npm run docs:api'])
})

t.test('a change of a name has to be in the changelog, in a line that was written since', async (t) => {
  const { root, declare, log } = await checkout(t)
  const problem = '@made/up Store differs from the last release: name it in CHANGELOG.md under Unreleased'
  declare(described.replace('close(): void', 'close(now: boolean): void'))
  await writeReference(root, false)
  t.strictSame(await problemsOfReference(root), [problem], 'a line that was there before does not count')
  log('- The close of Stores and `Stored` things takes a flag.')
  t.strictSame(await problemsOfReference(root), [problem], 'a line about something else')
  log('- `Store.close` takes a flag.')
  t.strictSame(await problemsOfReference(root), [])
})

t.test('names that are new, and names that are gone, have to be in the changelog', async (t) => {
  const { root, declare, log } = await checkout(t)
  declare(`${described.replace(/\/\*\* One[^]*/, '')}/** Two. */\nexport declare const two = 2;\n`)
  await writeReference(root, false)
  t.match(await problemsOfReference(root), [/^@made\/up two differs/, /^@made\/up undescribed differs/])
  log('- `two` takes the place of `undescribed`.')
  t.strictSame(await problemsOfReference(root), [])
})

t.test('a change of what a function takes is in the changelog with the function', async (t) => {
  const { root, declare, log } = await checkout(t)
  declare(described.replace('readonly id: string', 'readonly id: Uuid'))
  await writeReference(root, false)
  t.match(await problemsOfReference(root), [/^@made\/up CreateFolderInput differs/])
  log('- `createFolder` takes the id of a folder.')
  t.strictSame(await problemsOfReference(root), [])
})

t.test('a release needs the digests of its own surface', async (t) => {
  const { root, declare, log } = await checkout(t)
  t.strictSame(unrecordedNames(root), [])
  declare(described.replace('close(): void', 'close(now: boolean): void'))
  log('- `Store.close` takes a flag.')
  t.match(unrecordedNames(root), [/^docs\/api\/released.txt is that of another release/])
  await writeReference(root, true)
  t.strictSame(unrecordedNames(root), [])
})

t.test('the order in which the compiler prints what it inferred makes no difference', async (t) => {
  const { root, declare } = await checkout(
    t,
    `${described}/** F. */\nexport declare const f: { a: 'x' | 'y' | undefined; b: import("./a.ts").T };\n`,
  )
  declare(
    `${described}/** F. */\nexport declare const f: { b: import("./b.ts").T; a: 'y' | undefined | 'x' };\n`,
  )
  t.strictSame(await problemsOfReference(root), [])
})

/** A checkout with one package, whose reference was written and recorded as that of a release. */
async function checkout(t: Pick<typeof import('tap').default, 'testdir'>, text = described) {
  const root = t.testdir({
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- `Store` is new.\n\n## 0.9.0\n\n- `two`\n',
    packages: {
      up: {
        'package.json': JSON.stringify({ name: '@made/up', version: '1.0.0', description: 'Made up' }),
        dist: { 'index.d.ts': "export * from './all.ts';\n", 'all.d.ts': text },
      },
      hidden: { 'package.json': JSON.stringify({ name: '@made/hidden', private: true }) },
    },
  })
  await writeReference(root, true)
  const changelog = join(root, 'CHANGELOG.md')
  return {
    root,
    declare: (changed: string) => writeFileSync(join(root, 'packages/up/dist/all.d.ts'), changed),
    log: (line: string) =>
      writeFileSync(changelog, readFileSync(changelog, 'utf8').replace('new.\n', `new.\n${line}\n`)),
  }
}
