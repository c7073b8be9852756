import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const group = join(import.meta.dirname, '..', 'tap-group.mjs')

/** The exit code and the output of a process that runs one file with this test. */
function run(cwd: string, file: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [group, 'name', join(cwd, file)], {
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

t.test('an error that nothing catches fails the process, and is shown', async (t) => {
  const errors = {
    'thrown.mjs': `setTimeout(() => { throw new Error('nobody catches') })`,
    'rejected.mjs': `Promise.reject(new Error('nobody catches'))`,
  }
  const test = (text: string) =>
    `import t from 'tap'\nt.test('a test', async () => { ${text}; await new Promise((end) => setTimeout(end, 50)) })`
  const cwd = t.testdir({
    ...Object.fromEntries(Object.entries(errors).map(([file, text]) => [file, test(text)])),
    'fine.mjs': test(''),
    'empty.mjs': '',
  })
  for (const file of Object.keys(errors)) {
    const { status, output } = run(cwd, file)
    t.not(status, 0, file)
    t.match(output, /nobody catches/)
  }
  t.match(run(cwd, 'fine.mjs'), { status: 0, output: /ok 1 - a test/ })
  t.match(run(cwd, 'empty.mjs'), { output: /has no test/ })
  t.not(run(cwd, 'empty.mjs').status, 0)
})
