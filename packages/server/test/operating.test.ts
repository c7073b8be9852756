import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { comparable } from './support/comparable.ts'
import { testCommand } from './support/in-process.ts'

const documentOf = (page: string) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')

/** The pages whose examples are run, one after the other on one installation. */
const pages = ['backup.md', 'keys.md', 'accounts.md', 'troubleshooting.md'].map(documentOf)

/** A command in the document, and what is printed below it. */
interface Example {
  readonly command: string
  readonly printed: string
}

function examplesIn(text: string): readonly Example[] {
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((part) => ({
      command: part.slice(0, part.indexOf('\n')),
      printed: part.slice(part.indexOf('\n') + 1).trimEnd(),
    }))
}

t.test('the examples print what the documents say', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const ann = ['--account', 'ann@example.org']
  await json(['account', 'create', '--email', 'ann@example.org'])
  const { id: folder } = await json<{ id: string }>(['folder', 'create', ...ann, '--label', 'Doors'])
  await json(['token', 'create', ...ann, '--name', 'laptop'])
  const draft = (label: string, ...more: string[]) =>
    json<{ id: string }>(['draft', 'create', ...ann, '--folder', folder, '--label', label, ...more], {
      stdin: 'note',
    })
  await draft('kept')
  for (const { id } of [await draft('front'), await draft('back', '--open-limit', '1')])
    await json(['draft', 'share', ...ann, id])

  const examples = pages.flatMap(examplesIn)
  t.ok(examples.length >= 7)
  for (const { command, printed } of examples) {
    const [program, ...args] = command.split(' ')
    if (program === 'sotto') {
      const { code, stdout, stderr } = await run(args)
      t.equal(code, 0, `${command}: ${stderr}`)
      t.equal(comparable(stdout), comparable(printed), command)
    } else {
      t.equal(spawnSync('sh', ['-c', command], { cwd }).status, 0, command)
    }
  }
})

t.test('every event of an audit line is in the document', (t) => {
  const document = documentOf('monitoring.md')
  const packages = new URL('../../', import.meta.url)
  const sources = globSync('{dashboard-fastify,http-fastify,server}/src/**/*.ts', { cwd: packages })
  const calls = sources.flatMap((path) =>
    readFileSync(new URL(path, packages), 'utf8').match(/(?:[aA]udit|secretLine|\.)\([^{]*\{|event: '.*'/g),
  )
  const events = new Set(calls.join().match(/(?<=')[a-z]+(?:_[a-z]+)+(?=')/g))
  t.ok(events.size > 50, 'they are found')
  for (const event of events) t.ok(document.includes(`\`${event}\``), event)
  t.end()
})
