import t from 'tap'
import { spawnSotto } from './support/spawned.ts'

t.test('on an older Node.js the command says so, before a native module crashes', async (t) => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(older)}`]
  const command = spawnSotto(t, ['--version'], { cwd: t.testdir(), nodeArgs })
  t.equal(await command.ended, 1)
  t.equal(command.stderr(), 'sotto needs Node.js 24 or later, and this is 20.19.0.\n')
  t.equal(command.stdout(), '')
})
