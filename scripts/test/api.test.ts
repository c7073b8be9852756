import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { undocumentedNames, writeReference } from '../api.mjs'

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

t.test('a reference leads to the page of each public package', async (t) => {
  const { root, directory } = checkout(t)
  t.strictSame(undocumentedNames(root), [])
  await writeReference(root, directory)
  writeFileSync(join(directory, 'gone.md'), 'of a package that is gone')
  await writeReference(root, directory)
  t.strictSame(readdirSync(directory), ['README.md', 'up.md'])
  t.matchOnly(readFileSync(join(directory, 'README.md'), 'utf8'), /\[@made\/up\]\(up\.md\) +\| Made up/)
})

t.test('a path that a package exports besides has a page of its own', async (t) => {
  const { root, directory } = checkout(t)
  const up = join(root, 'packages', 'up')
  const manifest = {
    name: '@made/up',
    version: '1.0.0',
    description: 'Made up',
    publishConfig: {
      exports: { '.': { types: './dist/index.d.ts' }, './down': { types: './dist/down/index.d.ts' } },
    },
  }
  writeFileSync(join(up, 'package.json'), JSON.stringify(manifest))
  mkdirSync(join(up, 'dist', 'down'))
  writeFileSync(join(up, 'dist', 'down', 'index.d.ts'), 'export declare function fall(): void\n')
  t.strictSame(undocumentedNames(root), ['@made/up/down fall has no docstring'])
  await writeReference(root, directory)
  t.match(readFileSync(join(directory, 'up-down.md'), 'utf8'), '# @made/up/down\n\n## fall')
  t.matchOnly(readFileSync(join(directory, 'README.md'), 'utf8'), /\[@made\/up\/down\]\(up-down\.md\)/)
})

t.test('a reference has docstrings as text, and the types of a function with it', async (t) => {
  const { root, directory } = checkout(t)
  await writeReference(root, directory)
  const text = readFileSync(join(directory, 'up.md'), 'utf8')
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

t.test('names, functions, options and numbers without a unit need a docstring', (t) => {
  const { root } = checkout(t, declarations)
  t.strictSame(undocumentedNames(root), [
    '@made/up CreateFolderInput.opens has no docstring',
    '@made/up MakerOptions.store has no docstring',
    '@made/up Store.close has no docstring',
    '@made/up undescribed has no docstring',
  ])
  t.end()
})

/** A built checkout with one public package. */
function checkout(t: Pick<typeof import('tap').default, 'testdir'>, text = described) {
  const root = t.testdir({
    packages: {
      up: {
        'package.json': JSON.stringify({ name: '@made/up', version: '1.0.0', description: 'Made up' }),
        dist: { 'index.d.ts': "export * from './all.ts';\n", 'all.d.ts': text },
      },
      hidden: { 'package.json': JSON.stringify({ name: '@made/hidden', private: true }) },
    },
  })
  return { root, directory: join(root, 'reference') }
}
