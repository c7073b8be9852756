import type { Linter } from 'eslint'

/** Which of our packages the sources of each may import. core has stricter rules of its own: purity.ts. */
const allowed = {
  'test-kit': ['core'],
  'adapter-sqlite': ['core'],
  'adapter-node-crypto': ['core'],
  'http-fastify': ['core'],
  server: ['core', 'adapter-sqlite', 'adapter-node-crypto', 'http-fastify'],
}

/** The arrows between the packages point inwards, and nobody reaches into another package's files. */
export const boundaries: Linter.Config[] = Object.entries(allowed).map(([name, imports]) => ({
  files: [`packages/${name}/src/**/*.ts`],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^@sotto/(?!(?:${imports.join('|')})$)`,
            message: `@sotto/${name} may import ${imports.map((other) => `@sotto/${other}`).join(', ')} only.`,
          },
          {
            regex: '^(?:\\.\\./)+(?:packages/)?[\\w-]+/src/',
            message: 'Import another package by its name, not by its files.',
          },
        ],
      },
    ],
  },
}))
