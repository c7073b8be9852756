import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const lab = join(import.meta.dirname, '..')
const campaigns = globSync('campaigns/*/main.ts', { cwd: lab }).map((path) => path.split('/')[1] ?? '')
const benches = globSync('bench/*.ts', { cwd: lab }).map((path) => path.slice('bench/'.length, -'.ts'.length))

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(lab, 'run.ts'), ...args], { encoding: 'utf8' })
}

t.test('without a name, and with an unknown one, all names are listed', async (t) => {
  for (const [kind, names] of [
    ['campaign', campaigns],
    ['bench', benches],
  ] as const) {
    t.ok(names.length >= 5)
    for (const name of [[], ['no-such-name'], ['support']]) {
      const { status, stderr } = run(kind, ...name)
      t.equal(status, 2)
      for (const each of names) t.match(stderr, `  ${each}\n`)
    }
  }
})

t.test('a program gets its options, and refuses wrong ones with those that there are', async (t) => {
  t.match(run('campaign', 'sockets', '--', '--times', '1', '--rounds', 'many'), {
    status: 2,
    stderr: /^--rounds takes a whole number\nusage: .*\[--rounds N\] \[--only TEXT\]\n$/,
  })
  t.match(run('campaign', 'crash', '--nonsense'), {
    status: 2,
    stderr: /Unknown option '--nonsense'.*\nusage: .*\[--workers N\] .*\[--postgres\].*\n$/s,
  })
})

t.test('README.md says what each of them does, and names no other', async (t) => {
  const [before = '', after = ''] = readFileSync(join(lab, 'README.md'), 'utf8').split('\n## Benches\n')
  const namedIn = (part: string) => [
    ...new Set([...part.matchAll(/^\| `(?!npm)([\w-]+)/gm)].map(([, name = '']) => name)),
  ]
  t.strictSame(namedIn(before).toSorted(), campaigns.toSorted())
  t.strictSame(namedIn(after).toSorted(), benches.toSorted())
})
