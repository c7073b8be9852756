import t from 'tap'
import { spawnSotto } from './spawned.ts'

t.test('an older Node.js is told so, before a native module ends it', async (t) => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(older)}`]
  const command = spawnSotto(t, ['--version'], { cwd: t.testdir(), nodeArgs })
  t.equal(await command.ended, 1)
  t.equal(command.stderr(), 'sotto needs Node.js 24 or later, and this is 20.19.0.\n')
  t.equal(command.stdout(), '')
})
