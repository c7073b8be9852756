import { globSync } from 'node:fs'
import { resolve } from 'node:path'

/** Sources, and the tests that have to notice their mutants. Paths from the root of the checkout, or patterns. */
export interface Part {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

// The tests of the package, and the contracts on the fakes.
const coreTests = ['packages/core/test/**/*.test.ts', 'packages/test-kit/test/all-contracts.test.ts']

const identityTests = ['packages/identity/test/**/*.test.ts', 'packages/test-kit/test/all-contracts.test.ts']

/**
 * Tests that read what all others of their file have done before: they say nothing when they run without those, or after a mutant of
 * theirs.
 */
export const dependentTests: readonly string[] = [
  'every statement that the contract needs finds its rows by an index and sorts nothing',
]

/** What can be named on the command line. */
export const targets = {
  opening: [
    {
      sources: ['packages/core/src/{secrets/opening,shared/attempts,secrets/open-secret}.ts'],
      tests: coreTests,
    },
  ],
  quota: [
    {
      sources: ['packages/core/src/quota/{quota-windows,count-call,take-quota}.ts'],
      tests: coreTests,
    },
    {
      sources: ['packages/adapter-sqlite/src/quota/{quota,quota-batches}.ts'],
      tests: ['packages/adapter-sqlite/test/{contract,quota/*}.test.ts'],
    },
  ],
  crypto: [
    {
      sources: ['packages/adapter-node-crypto/src/{*,!(passkeys)/*}.ts'],
      tests: ['packages/adapter-node-crypto/test/{*,!(passkeys)/*}.test.ts'],
    },
  ],
  'group-commit': [
    {
      sources: ['packages/adapter-sqlite/src/connection/{group-commit,write-transaction}.ts'],
      tests: ['packages/adapter-sqlite/test/{measuring,connection/{group-commit,migrations,errors}}.test.ts'],
    },
  ],
  'storage-sql': [
    {
      sources: ['packages/storage-sql/src/*/**/!(tables|create-tables|transfer).ts'],
      // What is erased, and that uses are recorded in the background, is more than a contract can see.
      tests: [
        'packages/adapter-sqlite/test/{contract,erasure,ways-to-erase,accounts/owner-erasure,access-tokens/*,secrets/dead-rows,files/secret-files,sessions/*}.test.ts',
      ],
    },
  ],
  'file-contents': [
    {
      sources: ['packages/adapter-sqlite/src/files/!(secret-files).ts'],
      tests: ['packages/adapter-sqlite/test/files/!(secret-files).test.ts'],
    },
  ],
  fakes: [
    {
      sources: [
        'packages/test-kit/src/**/{memory-*,fake-*,failing,manual-clock,seeded-random,soft-passkey,test-passkeys}.ts',
      ],
      tests: ['packages/test-kit/test/{all-contracts,memory-ports,cipher/*,shared/*}.test.ts'],
    },
  ],
  identity: ['*', '[a-o]*/*', '[p-z]*/*'].map((some) => ({
    sources: [`packages/identity/src/${some}.ts`],
    tests: identityTests,
  })),
  core: [
    ...['*', '[a-m]*/*', 'notifications/**/*', '[o-z]*/!(transfer)'].map((some) => ({
      sources: [`packages/core/src/${some}.ts`],
      tests: coreTests,
    })),
    // The names and types of columns, which only storage adapters understand.
    {
      sources: ['packages/core/src/storage/transfer.ts'],
      tests: [
        'packages/core/test/storage/copy-rows.test.ts',
        'packages/test-kit/test/all-contracts.test.ts',
        'packages/adapter-sqlite/test/transfer/transfer.test.ts',
      ],
    },
  ],
} as const satisfies Readonly<Record<string, readonly Part[]>>

export type TargetName = keyof typeof targets

/** The targets of which every surviving mutant has a reason in `justified.ts`. */
const strictTargets: readonly TargetName[] = ['opening', 'quota', 'group-commit']

/** What of the mutants of a target the tests have to notice, in percent. */
export const leastPercent: Readonly<Record<string, number>> = { core: 90, identity: 90, crypto: 95 }

const root = resolve(import.meta.dirname, '../../..')

/** The files that a part's sources name. */
export function sourcesOf({ sources }: Pick<Part, 'sources'>): readonly string[] {
  return globSync(sources, { cwd: root }).toSorted()
}

/** Whether every surviving mutant of a file needs a reason. */
export function isStrict(path: string): boolean {
  return strictTargets.some((name) => targets[name].some((part) => sourcesOf(part).includes(path)))
}

/**
 * The parts that a word of the command line names: those of a target, or one file with the tests of its target or else of its package.
 * `undefined` when there is no such target or file.
 */
export function partsOf(word: string): readonly Part[] | undefined {
  if (isTarget(word)) return targets[word]
  const [path] = globSync(word, { cwd: root })
  const [, directory] = /^(packages\/[^/]+)\/src\/.*\.ts$/.exec(path ?? '') ?? []
  if (path === undefined || directory === undefined) return undefined
  const known = Object.values(targets)
    .flat()
    .find((part: Part) => sourcesOf(part).includes(path))
  return [{ sources: [path], tests: known?.tests ?? [`${directory}/test/**/*.test.ts`] }]
}

function isTarget(word: string): word is TargetName {
  return Object.hasOwn(targets, word)
}
