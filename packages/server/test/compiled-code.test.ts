import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { spawnServer } from './support/spawned.ts'

t.test('what V8 compiled is kept in the directory that the unit and the image name', async (t) => {
  const cwd = t.testdir()
  const server = await spawnServer(t, { cwd, env: { NODE_COMPILE_CACHE: join(cwd, 'compiled') } })
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
  t.ok(readdirSync(join(cwd, 'compiled'), { recursive: true }).length > 1)
})

t.test('a server starts and stops where that directory cannot be made', async (t) => {
  const cwd = t.testdir({ file: '' })
  const server = await spawnServer(t, { cwd, env: { NODE_COMPILE_CACHE: join(cwd, 'file', 'compiled') } })
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
  t.notMatch(server.stderr(), /compile|cache/i)
})
