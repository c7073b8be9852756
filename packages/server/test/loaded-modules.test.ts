import t from 'tap'
import { Command } from 'commander'
import { groups } from '../src/commands.ts'
import { source } from './support/program.ts'
import { runSotto, spawnServer } from './support/spawned.ts'

/** Prints which modules of Node.js are loaded. */
const printLoaded = `
  process.on('exit', () => process.stderr.write('loaded: ' + process.moduleLoadList.join(' ') + '\\n'))`

t.test('a server does not load the HTTP client of Node.js, which it does not use', async (t) => {
  const cwd = t.testdir({ 'print-loaded.cjs': printLoaded })
  const small = '--max-semi-space-size=16'
  const server = await spawnServer(t, { cwd, nodeArgs: [small, '--require', `${cwd}/print-loaded.cjs`] })
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
  const [, loaded = ''] = /^loaded: (.*)$/m.exec(server.stderr()) ?? []
  t.match(loaded, 'NativeModule http ', 'the list is there')
  t.notMatch(loaded, 'undici')
})

/** Prints which of these modules are loaded. */
const watchModules = `
  import { registerHooks } from 'node:module'
  const watched = [
    'fastify/fastify.js', 'better-sqlite3/lib/index.js', 'client/src/index.ts', 'adapter-mail/src/index.ts', 'adapter-oidc/src/index.ts',
    'adapter-postgres/src/index.ts', 'adapter-webhook/src/index.ts',
  ]
  registerHooks({
    load(url, context, next) {
      for (const each of watched) if (url.endsWith('/' + each)) process.stderr.write('loaded: ' + each.split('/')[0] + '\\n')
      return next(url, context)
    },
  })`

/** What a server needs of these, whatever is set. */
const needed = ['adapter-webhook', 'better-sqlite3', 'fastify']

function loadedIn(stderr: string): ReadonlySet<string> {
  return new Set(Array.from(stderr.matchAll(/^loaded: (.*)$/gm), ([, name = '']) => name).toSorted())
}

t.test('a command does not load what only others need', async (t) => {
  const cwd = t.testdir({ 'watch.mjs': watchModules })
  const nodeArgs = ['--import', `${cwd}/watch.mjs`]
  const loadedBy = async (args: readonly string[]): Promise<ReadonlySet<string>> => {
    const { stderr } = await runSotto(t, args, { cwd, nodeArgs, file: source })
    return loadedIn(stderr)
  }
  const [version, share, folder, serve] = await Promise.all(
    [['--version'], ['share', '--help'], ['folder', '--help'], ['serve', '--help']].map(loadedBy),
  )
  t.strictSame(version, new Set())
  t.strictSame(share, new Set(['client']))
  t.notOk(folder?.has('fastify'))
  t.strictSame(serve, new Set(needed), 'what is loaded is seen')
})

t.test('a server does not load what is not set: mails, single sign-on, PostgreSQL', async (t) => {
  const cwd = t.testdir({ 'watch.mjs': watchModules })
  const serve = async (env: NodeJS.ProcessEnv) => {
    const nodeArgs = ['--max-semi-space-size=16', '--import', `${cwd}/watch.mjs`]
    const server = await spawnServer(t, { cwd, env, nodeArgs, file: source })
    server.child.kill('SIGTERM')
    t.equal(await server.ended, 0)
    return loadedIn(server.stderr())
  }
  t.strictSame(await serve({}), new Set(needed))
  const mails = { SOTTO_SMTP_URL: 'smtp://127.0.0.1:1', SOTTO_MAIL_FROM: 'sotto@example.org' }
  t.strictSame(await serve(mails), new Set(['adapter-mail', ...needed]), 'what is set is loaded')
})

t.test('each command is in the group that its first word loads', async (t) => {
  for (const { names, load } of groups) {
    const program = new Command()
    const { env, stdin, stdout, stderr } = process
    const { commands } = await load()
    for (const add of commands)
      add(program, { env, cwd: '.', stdin, stdout, stderr, settle: () => undefined })
    t.strictSame(new Set(program.commands.map((command) => command.name())), new Set(names))
  }
})
