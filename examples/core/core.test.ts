import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { must, openSotto } from './sotto.ts'
import { work, type Job } from './worker.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'sotto-example-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

const openIn = (cwd: string) =>
  openSotto({ dataDir: join(cwd, 'data'), keyFile: join(cwd, 'keys', 'sotto-keys.json') })

test('the link of the script opens once, in another process', async (t) => {
  const cwd = folder(t)
  const script = join(import.meta.dirname, 'script.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [script], { cwd, input: 'horse', encoding: 'utf8' })
  const { sotto, close } = await openIn(cwd)
  const token = stdout.trim()
  assert.equal(must(await sotto.openSecret({ token })).note, 'horse', stderr)
  assert.equal((await sotto.openSecret({ token })).isErr(), true)
  await close()
})

test('the worker shares what it can, tries again what may succeed, and reports the rest', async (t) => {
  const { sotto, close } = await openIn(folder(t))
  const tokens: string[] = []
  const failed: string[] = []
  const queue: Job[] = [
    { user: 'ann', label: 'Router', note: 'one' },
    { user: 'ann', label: 'Empty', note: '' },
    { user: 'bob', label: 'Door', note: 'two' },
  ]
  await work({
    sotto,
    queue,
    onShared: (_job, token) => tokens.push(token),
    onFailed: (...what) => failed.push(what.join(' ')),
  })
  const notes = await Promise.all(tokens.map(async (token) => must(await sotto.openSecret({ token })).note))
  assert.deepEqual(notes, ['one', 'two'])
  assert.deepEqual(failed, ['Empty fields_invalid'])
  await close()
})
