import t from 'tap'
import { spawnServer } from './support/spawned.ts'

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
