import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils'
import type { Rule } from 'eslint'
import { dirname, join, relative, sep } from 'node:path'

/**
 * The folders of the `src` of each package, from the inmost outwards, each with the folders that its files may import. What is named is
 * above: an arrow that leads down, and with it a circle, is refused when this file is loaded. A folder that is not named here may import
 * everything and be imported by files at the top alone; so may those files. A file at the top that folders import is named like a folder.
 */
export const arrows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    shared: [],
    'policy.ts': ['shared'],
    quota: ['policy.ts', 'shared'],
    accounts: ['policy.ts', 'shared', 'quota'],
    files: ['policy.ts', 'shared'],
    sealed: ['shared'],
    secrets: ['policy.ts', 'shared', 'accounts', 'files', 'sealed'],
    drafts: ['shared', 'files', 'sealed', 'secrets'],
    requests: ['policy.ts', 'shared', 'quota', 'accounts', 'files', 'sealed', 'secrets', 'drafts'],
    folders: ['policy.ts', 'shared', 'accounts', 'files', 'secrets', 'drafts'],
    'notifications/queue': ['shared', 'secrets', 'requests'],
    'notifications/mails': ['shared', 'quota', 'accounts', 'requests', 'notifications/queue'],
    'notifications/webhooks': ['shared', 'quota', 'accounts', 'notifications/queue'],
    notifications: [
      'shared',
      'accounts',
      'secrets',
      'notifications/queue',
      'notifications/mails',
      'notifications/webhooks',
    ],
    keys: ['shared', 'secrets'],
    storage: [
      ...['shared', 'quota', 'accounts', 'files', 'secrets', 'drafts', 'requests', 'folders'],
      ...['notifications/queue', 'notifications/webhooks', 'keys'],
    ],
    // What other packages with use-cases are built from, as one entry of the package.
    'building-blocks': [
      ...[
        'shared',
        'quota',
        'accounts',
        'secrets',
        'folders',
        'notifications/mails',
        'notifications/webhooks',
      ],
      'storage',
    ],
  },
  identity: {
    'use-case.ts': [],
    'access-tokens': ['use-case.ts'],
    sessions: ['use-case.ts'],
    authenticators: ['use-case.ts', 'sessions'],
    passwords: ['use-case.ts', 'sessions', 'authenticators'],
    passkeys: ['use-case.ts', 'sessions', 'authenticators', 'passwords'],
    invitations: ['use-case.ts', 'sessions', 'passwords'],
    'single-sign-on': ['use-case.ts', 'sessions', 'authenticators', 'invitations'],
    'email-changes': ['use-case.ts', 'passwords'],
    storage: [
      'use-case.ts',
      ...['access-tokens', 'sessions', 'authenticators', 'passwords', 'passkeys', 'invitations'],
      ...['single-sign-on', 'email-changes'],
    ],
  },
  wire: {
    shared: [],
    accounts: ['shared'],
    files: [],
    sealed: [],
    secrets: ['shared', 'files', 'sealed'],
    drafts: ['shared', 'secrets'],
    requests: ['shared'],
    folders: ['shared'],
    notifications: ['shared'],
    'notifications/webhooks': ['shared'],
    'access-tokens': ['shared'],
    sessions: ['shared'],
    passkeys: ['shared'],
    'single-sign-on': ['shared'],
    invitations: ['shared'],
    'email-changes': [],
    keys: ['shared'],
    storage: ['shared'],
  },
  'storage-sql': {
    engine: [],
    shared: ['engine'],
    quota: ['engine'],
    accounts: ['engine', 'shared'],
    files: ['engine'],
    secrets: ['engine'],
    drafts: ['engine', 'files'],
    requests: ['engine', 'shared', 'quota', 'accounts', 'files'],
    folders: ['engine', 'shared', 'accounts', 'requests'],
    notifications: ['engine', 'shared'],
    'notifications/webhooks': ['engine', 'shared', 'accounts', 'notifications'],
    keys: ['engine'],
    'access-tokens': ['engine', 'accounts'],
    sessions: ['engine', 'shared', 'accounts'],
    authenticators: ['engine'],
    passwords: ['engine', 'quota', 'accounts', 'authenticators'],
    passkeys: ['engine', 'accounts', 'sessions', 'authenticators'],
    invitations: ['engine', 'accounts', 'sessions', 'passwords'],
    'single-sign-on': ['engine', 'accounts', 'sessions', 'authenticators', 'invitations'],
    'email-changes': ['engine', 'accounts'],
    // tables.ts lists the tables of all of these folders.
    'tables.ts': [
      ...['engine', 'quota', 'accounts', 'files', 'secrets', 'requests', 'folders', 'notifications'],
      ...['notifications/webhooks', 'keys', 'access-tokens', 'sessions', 'passwords', 'passkeys'],
      ...['invitations', 'single-sign-on', 'email-changes'],
    ],
    storage: ['engine', 'keys', 'tables.ts'],
  },
  'adapter-sqlite': {
    connection: [],
    engine: ['connection'],
    files: ['connection', 'engine'],
    tables: ['connection', 'engine', 'files'],
    secrets: ['connection', 'engine', 'files', 'tables'],
    drafts: ['engine', 'secrets'],
    quota: ['connection'],
    keys: ['connection', 'engine', 'secrets'],
    'access-tokens': ['connection', 'engine'],
    examine: ['connection', 'files'],
    storage: ['connection', 'engine', 'secrets', 'examine'],
    backup: ['connection', 'engine', 'files', 'tables', 'secrets', 'examine'],
    transfer: ['connection', 'engine', 'files', 'tables', 'secrets'],
  },
  'adapter-postgres': {
    connection: [],
    engine: ['connection'],
    clock: ['connection'],
    tables: ['connection'],
    shared: ['connection'],
    quota: ['connection'],
    files: ['connection'],
    secrets: ['connection', 'engine'],
    drafts: ['engine', 'secrets'],
    folders: ['connection'],
    keys: ['engine', 'secrets'],
    'access-tokens': ['connection', 'engine', 'shared'],
    examine: ['connection'],
    storage: ['connection', 'examine'],
    transfer: ['connection', 'engine', 'tables', 'files', 'secrets'],
  },
  'adapter-node-crypto': {
    shared: [],
    keys: ['shared'],
    cipher: ['shared', 'keys'],
    passwords: [],
    files: ['shared'],
    secrets: ['shared', 'keys', 'passwords'],
    passkeys: [],
  },
  'http-fastify': {
    'use-cases.ts': [],
    http: ['use-cases.ts'],
    openapi: ['http'],
    'api/lists': ['use-cases.ts', 'http'],
    api: ['use-cases.ts', 'http', 'api/lists'],
    link: ['use-cases.ts', 'http'],
    files: ['use-cases.ts', 'http', 'openapi', 'link'],
    sealed: ['link'],
    secrets: ['use-cases.ts', 'http', 'openapi', 'api', 'link', 'sealed'],
    requests: ['use-cases.ts', 'http', 'openapi', 'link', 'sealed'],
    service: ['http', 'openapi', 'files', 'secrets', 'requests'],
  },
  'dashboard-fastify': {
    'use-cases.ts': [],
    shared: ['use-cases.ts'],
    files: ['shared'],
    sealed: ['shared'],
    sessions: ['use-cases.ts', 'shared'],
    'access-tokens': ['use-cases.ts', 'shared'],
    passwords: ['use-cases.ts', 'shared'],
    invitations: ['use-cases.ts', 'shared', 'sessions'],
    'single-sign-on': ['use-cases.ts', 'shared', 'sessions'],
    'sign-in': ['use-cases.ts', 'shared', 'sessions', 'single-sign-on'],
    passkeys: ['use-cases.ts', 'shared', 'sessions', 'sign-in'],
    secrets: ['use-cases.ts', 'shared', 'files', 'sealed'],
    drafts: ['use-cases.ts', 'shared', 'files', 'secrets'],
    requests: ['use-cases.ts', 'shared', 'sealed', 'secrets', 'drafts'],
    folders: ['use-cases.ts', 'shared', 'secrets'],
    notifications: ['use-cases.ts', 'shared'],
    'notifications/webhooks': ['use-cases.ts', 'shared', 'notifications'],
    accounts: ['use-cases.ts', 'shared', 'sessions', 'passwords', 'invitations'],
  },
  'test-kit': {
    contract: [],
    shared: ['contract'],
    cipher: ['contract', 'shared'],
    quota: ['contract', 'shared'],
    stores: ['contract', 'shared', 'cipher', 'quota'],
    files: ['contract', 'shared', 'stores'],
    secrets: ['contract', 'shared', 'stores', 'files'],
    drafts: ['contract', 'shared', 'stores', 'files', 'secrets'],
    requests: ['contract', 'shared', 'stores', 'files', 'secrets'],
    folders: ['contract', 'shared', 'stores', 'requests'],
    notifications: ['contract', 'shared', 'stores'],
    'notifications/mails': ['contract', 'shared', 'notifications'],
    'notifications/webhooks': ['contract', 'shared', 'stores', 'notifications'],
    'access-tokens': ['contract', 'shared', 'stores'],
    sessions: ['contract', 'shared', 'stores'],
    authenticators: ['stores'],
    passwords: ['contract', 'shared', 'stores', 'sessions', 'authenticators'],
    passkeys: ['contract', 'shared', 'stores', 'sessions', 'authenticators'],
    invitations: ['contract', 'shared', 'stores', 'access-tokens', 'sessions'],
    'email-changes': ['contract', 'stores'],
    // An erasure of an account is of what all of them add.
    accounts: ['contract', 'shared', 'stores', 'files', 'requests', 'notifications', 'sessions'],
    'single-sign-on': [
      ...['contract', 'shared', 'stores', 'sessions', 'authenticators', 'invitations', 'accounts'],
    ],
    keys: ['contract', 'shared', 'stores', 'secrets', 'requests', 'single-sign-on', 'accounts'],
    storage: [
      ...['contract', 'shared', 'stores', 'quota', 'files', 'secrets', 'drafts', 'requests', 'folders'],
      ...['notifications', 'notifications/webhooks', 'access-tokens', 'sessions', 'passwords', 'passkeys'],
      ...['invitations', 'single-sign-on', 'email-changes', 'accounts', 'keys'],
    ],
    'storage/driver': [
      ...['contract', 'shared', 'stores', 'files', 'secrets', 'requests', 'notifications', 'accounts'],
    ],
  },
  server: {
    'version.ts': [],
    shared: [],
    config: ['shared'],
    'audit.ts': ['config'],
    metrics: ['version.ts', 'shared'],
    installation: ['version.ts', 'config', 'metrics'],
    errors: ['shared', 'config', 'installation'],
    cli: ['shared', 'config', 'audit.ts', 'installation', 'errors'],
    remote: ['shared', 'errors', 'cli'],
    accounts: ['shared', 'cli'],
    folders: ['shared', 'errors', 'cli', 'remote'],
    files: ['shared', 'installation', 'errors', 'cli', 'remote'],
    secrets: ['shared', 'errors', 'cli', 'remote', 'folders', 'files'],
    sealed: ['version.ts', 'shared', 'config', 'errors', 'cli', 'remote', 'secrets'],
    drafts: ['cli', 'secrets'],
    requests: ['errors', 'cli', 'remote', 'files', 'secrets'],
    notifications: ['shared', 'installation', 'errors', 'cli'],
    'notifications/webhooks': ['cli'],
    keys: ['shared', 'errors', 'cli'],
    storage: ['shared', 'config', 'audit.ts', 'installation', 'errors', 'cli', 'keys'],
    'access-tokens': ['cli'],
    passkeys: ['shared'],
    'single-sign-on': ['shared', 'cli'],
    invitations: ['shared', 'errors', 'cli'],
    doctor: [
      'shared',
      'config',
      'installation',
      'errors',
      'cli',
      'accounts',
      'files',
      'sealed',
      'notifications',
      'keys',
      'storage',
      'passkeys',
      'single-sign-on',
    ],
    serving: [
      'shared',
      'config',
      'audit.ts',
      'metrics',
      'installation',
      'errors',
      'files',
      'notifications',
      'keys',
      'storage',
    ],
    workers: ['shared', 'config', 'installation', 'errors', 'cli', 'serving'],
    serve: ['config', 'installation', 'errors', 'cli', 'storage', 'serving'],
    completion: ['cli', 'remote'],
  },
}

requireOrder(arrows)

/** Throws for the first arrow to a folder that does not stand above. */
export function requireOrder(table: typeof arrows): void {
  for (const [name, folders] of Object.entries(table)) {
    const above: string[] = []
    for (const [folder, targets] of Object.entries(folders)) {
      const unknown = targets.find((target) => !above.includes(target))
      if (unknown !== undefined)
        throw new Error(`${name}/src/${folder} may not import ${unknown}: it does not stand above it`)
      above.push(folder)
    }
  }
}

/** Use-cases are declared against the type of all ports and bounds, which name every folder: the file that does it may import these. */
const allPorts: Readonly<Record<string, readonly string[]>> = {
  'core/shared/use-case.ts': ['../storage/ports.ts', '../policy.ts'],
  'identity/use-case.ts': ['./storage/ports.ts', './sessions/sign-in-policy.ts'],
}

const rule: TSESLint.RuleModule<'forbidden'> = {
  meta: {
    type: 'problem',
    docs: { description: 'Allow imports between the folders of a package in one direction only' },
    messages: { forbidden: '{{from}} does not import {{to}}: scripts/eslint/arrows.ts says what it may.' },
    schema: [],
  },
  create(context) {
    const path = relative(context.cwd, context.filename).split(sep).join('/')
    const [, name = '', file = ''] = /^packages\/([\w-]+)\/src\/(.+)$/.exec(path) ?? []
    const folders = arrows[name]
    if (folders === undefined) return {}
    const from = folderOf(folders, file)
    const check = ({ source }: { readonly source?: TSESTree.Node | null }): void => {
      if (source?.type !== AST_NODE_TYPES.Literal || typeof source.value !== 'string') return
      if (!source.value.startsWith('.') || allPorts[`${name}/${file}`]?.includes(source.value) === true)
        return
      const to = folderOf(folders, join(dirname(file), source.value).split(sep).join('/'))
      if (mayImport(folders, from, to)) return
      context.report({ node: source, messageId: 'forbidden', data: { from: from || file, to: to || 'it' } })
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check }
  },
}

/** ESLint and typescript-eslint declare one thing with two types. */
export const arrowsRule = rule as unknown as Rule.RuleModule

/** The longest name in the table that holds the file; else its directory, which is '' at the top. */
export function folderOf(folders: Readonly<Record<string, readonly string[]>>, file: string): string {
  const holds = (folder: string): boolean => file === folder || file.startsWith(`${folder}/`)
  const [named] = Object.keys(folders)
    .filter(holds)
    .sort((one, other) => other.length - one.length)
  return named ?? (dirname(file) === '.' ? '' : dirname(file))
}

function mayImport(folders: Readonly<Record<string, readonly string[]>>, from: string, to: string): boolean {
  if (from === to || from === '') return true
  const allowed = folders[from]
  if (allowed !== undefined) return allowed.includes(to)
  return folders[to] !== undefined
}
