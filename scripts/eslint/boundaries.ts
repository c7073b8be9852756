import type { Linter } from 'eslint'

/** The packages of ours that the sources of each package may import. Their tests may import the same, and test-kit. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  identity: ['core', 'core/building-blocks'],
  wire: ['core', 'identity'],
  sealed: [],
  client: ['wire', 'sealed'],
  system: ['core'],
  'test-kit': ['core', 'identity'],
  'storage-sql': ['core', 'identity'],
  'adapter-sqlite': ['core', 'identity', 'storage-sql', 'storage-sql/identity', 'system'],
  'adapter-postgres': ['core', 'identity', 'storage-sql', 'storage-sql/identity'],
  'adapter-node-crypto': ['core', 'identity', 'system'],
  'adapter-mail': ['core', 'texts', 'texts/mails'],
  'adapter-webhook': ['core', 'wire'],
  'adapter-oidc': ['core', 'identity'],
  texts: ['core'],
  html: ['core', 'texts'],
  'http-fastify': ['core', 'wire', 'texts/link', 'html'],
  'dashboard-fastify': [
    ...[
      'core',
      'identity',
      'wire',
      'texts',
      'wire/identity',
      'texts/dashboard',
      'html',
      'http-fastify',
      'http-fastify/plugin',
    ],
  ],
  server: [
    'core',
    'identity',
    'wire',
    'wire/identity',
    'client',
    'sealed',
    'system',
    'adapter-sqlite',
    'adapter-sqlite/identity',
    'adapter-postgres',
    'adapter-postgres/identity',
    'adapter-node-crypto',
    'adapter-node-crypto/passkeys',
    'adapter-mail',
    'adapter-mail/settings',
    'adapter-webhook',
    'adapter-webhook/settings',
    'adapter-oidc',
    'html',
    'http-fastify',
    'http-fastify/settings',
    'dashboard-fastify',
  ],
}

/**
 * What the tests of a package may import besides: those of the client run it against the server's plugins, those of http-fastify sign in with
 * access tokens, and two need a free port.
 */
const allowedInTests: Readonly<Record<string, readonly string[]>> = {
  client: ['core', 'identity', 'system', 'http-fastify'],
  'http-fastify': ['identity'],
  'adapter-postgres': ['system'],
}

/** The only file of the server that may import a storage adapter: everything else gets a `StorageDriver`. */
const compositionRoot = 'packages/server/src/installation/storage-driver.ts'
const storageAdapters = ['adapter-sqlite', 'adapter-postgres']

interface Pattern {
  readonly regex: string
  readonly message: string
  readonly allowTypeImports?: boolean
}

const byItsFiles: Pattern = {
  regex: '^(?:\\.\\./)+(?:packages/)?[\\w-]+/(?:src|test)/',
  message: 'Import another package by its name, not by its files.',
}

/** The PostgreSQL server, the small disk and the identity providers for tests and the lab: the only files of another package's tests that they may import. */
const testServer =
  '(?!(?:packages/)?(?:adapter-postgres/test/support/(?:server|small-disk)|adapter-oidc/test/support/(?:real|lying)-provider)\\.ts$)'

const byItsFilesInTests: Pattern = {
  ...byItsFiles,
  regex: byItsFiles.regex.replace('(?:packages/)?', `${testServer}(?:packages/)?`),
}

/** The tests of the owner's pages start the same applications as those of the plugins beside them. */
const byItsFilesInPages: Pattern = {
  ...byItsFiles,
  regex: byItsFiles.regex.replace('(?:packages/)?', '(?!http-fastify/test/support/)(?:packages/)?'),
}

/** The tests of identity have a world of their own, made from that of the core. */
const byItsFilesInIdentity: Pattern = {
  ...byItsFiles,
  regex: byItsFiles.regex.replace('(?:packages/)?', '(?!core/test/[\\w-]+\\.ts$)(?:packages/)?'),
}

/** The tests of the other packages import none of these. */
const filesInTests: Readonly<Record<string, Pattern>> = {
  server: byItsFilesInTests,
  'dashboard-fastify': byItsFilesInPages,
  identity: byItsFilesInIdentity,
}

const fromTests: Pattern = {
  regex: '^\\.{1,2}/(?:.*/)?test/',
  message: 'Sources do not import tests.',
}

const fromLab: Pattern = {
  regex: '^@sotto/lab(?:/|$)|^(?:\\.\\./)+lab/',
  message: 'Nothing depends on the laboratory.',
}

/** What the sources of a package may import at all. */
const strict: Readonly<Record<string, Pattern>> = {
  core: {
    regex: '^(?!\\.|neverthrow$)',
    message: 'core imports neverthrow and its own files only.',
  },
  identity: {
    regex: '^(?!\\.|@sotto/core(?:/building-blocks)?$|neverthrow$)',
    message: 'identity imports @sotto/core, its building blocks, neverthrow and its own files only.',
  },
  // wire runs wherever TypeBox does: in a browser, too.
  wire: {
    regex: '^(?!\\.|@sotto/(?:core|identity)$|neverthrow$|typebox(?:/|$))',
    message:
      'wire imports @sotto/core, @sotto/identity, neverthrow and TypeBox only: no `node:` module, no Fastify.',
  },
  // sealed runs in browsers, too, and whoever must trust it reads all of it.
  sealed: {
    regex: '^(?!\\.)',
    message: 'sealed imports its own files only.',
  },
  texts: {
    regex: '^(?!\\.|@sotto/core$)',
    message: 'texts imports @sotto/core and its own files only.',
  },
  html: {
    regex: '^(?!\\.|@sotto/core$|@sotto/texts$|node:crypto$)',
    message: 'html imports @sotto/core, @sotto/texts and `node:crypto` only: no Fastify.',
  },
  client: {
    regex: '^(?!\\.|@sotto/(?:sealed|wire)$)',
    message: 'client imports its own files, @sotto/sealed, and types of @sotto/wire.',
  },
}

/** What an application without `@sotto/identity` takes: these packages know its types, and run without it. */
const identityTypesOnly: Pattern = {
  regex: '^@sotto/identity$',
  allowTypeImports: true,
  message:
    'This package imports only types of @sotto/identity: applications with users of their own do not install it.',
}
const withoutIdentity = ['wire', 'storage-sql', 'adapter-sqlite', 'adapter-postgres', 'adapter-node-crypto']

/** The client needs @sotto/sealed alone when it is installed: types are gone by then. */
const wireTypesOnly: Pattern = {
  regex: '^@sotto/wire$',
  allowTypeImports: true,
  message: 'client imports only types of @sotto/wire.',
}

/**
 * Where imports may lead. The arrows between the packages point inwards, and no file reaches into another package. `import()` is
 * not checked: core forbids it, and a test of the server finds storage adapters.
 */
export const boundaries: Linter.Config[] = [
  ...Object.entries(allowed).flatMap(([name, packages]) => [
    rule(`packages/${name}/src/**/*.ts`, sourcePatterns(name, packages)),
    rule(`packages/${name}/test/**/*.ts`, [
      only(`The tests of @sotto/${name}`, [...packages, ...(allowedInTests[name] ?? []), 'test-kit']),
      filesInTests[name] ?? byItsFiles,
    ]),
  ]),
  {
    ...rule('packages/server/src/**/*.ts', [
      ...sourcePatterns('server', allowed['server'] ?? []),
      {
        regex: `^@sotto/(?:${storageAdapters.join('|')})(?:/|$)`,
        message: `Only ${compositionRoot} knows which storage adapters there are: take a StorageDriver.`,
      },
    ]),
    ignores: [compositionRoot],
  },
  // What browsers run is made from these files. No other package may become part of it.
  rule('packages/html/browser/**/*.ts', [
    {
      regex: '^(?!\\.|@sotto/sealed$|esbuild$|node:(?:fs|url)$)',
      message: 'The scripts of pages are made of @sotto/sealed and files of @sotto/html only.',
    },
  ]),
  rule('lab/**/*.ts', [byItsFilesInTests]),
  // The scripts belong to no package, so no package is installed for them by its name.
  rule('scripts/**/*.{ts,mjs}', [
    {
      regex: '^@sotto/|^(?:\\.\\./)+packages/(?![\\w-]+/src/index\\.ts$)',
      message: 'Scripts import a package by its src/index.ts.',
    },
  ]),
]

function sourcePatterns(name: string, packages: readonly string[]): readonly Pattern[] {
  const own = strict[name] ?? only(`@sotto/${name}`, packages)
  return [own, ...typesOnly(name), byItsFiles, fromTests]
}

function typesOnly(name: string): readonly Pattern[] {
  if (name === 'client') return [wireTypesOnly]
  return withoutIdentity.includes(name) ? [identityTypesOnly] : []
}

function only(importer: string, packages: readonly string[]): Pattern {
  const names = packages.map((name) => `@sotto/${name}`).join(', ')
  return {
    regex: `^@sotto/(?!(?:${packages.join('|')})$)`,
    message: `${importer} may import ${names} only.`,
  }
}

function rule(files: string, patterns: readonly Pattern[]): Linter.Config {
  return {
    files: [files],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [...patterns, fromLab] }] },
  }
}
