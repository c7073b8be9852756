import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { placesOf } from '../src/completion/words.ts'
import { createProgram } from '../src/program.ts'
import { documentedSettings } from '../src/config/document.ts'
import { readSettings } from '../src/config/settings.ts'
import { blocksOf } from './support/readme-examples.ts'

// Compares what the documents tell to type with the commands, options, scripts and settings that there are.

const root = join(import.meta.dirname, '..', '..', '..')
const documents = globSync(['*.md', '{docs,examples,packages/*}/{,**/}*.md'], {
  cwd: root,
  exclude: (path) => /node_modules|\.tap|dist/.test(path),
})
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const settingNames = new Set(documentedSettings().map(({ name }) => name))
const { scripts } = JSON.parse(text('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
const { env, stdin, stdout, stderr } = process
const program = await createProgram({ env, cwd: root, stdin, stdout, stderr, settle: () => undefined })
const places = new Map(placesOf(program).map((place) => [place.path, place]))

// Promise (Documents): Every command and option that a document names exists
t.test('every command `sotto` in a document exists, with its options', async (t) => {
  const lines = documents.flatMap((document) =>
    commandsIn(text(document)).map((line) => ({ document, line })),
  )
  t.ok(lines.length > 60)
  for (const { document, line } of lines) t.equal(problemOf(line), undefined, `${document}: sotto ${line}`)
})

t.test('a command or option that does not exist is noticed', async (t) => {
  t.match(problemOf('account summon --email ann@example.org'), 'summon')
  t.match(problemOf('share --label Router --expires-in 1h'), '--expires-in')
  t.match(problemOf('bakup'), 'bakup')
  t.equal(problemOf('token create --account ann@example.org --name laptop --json'), undefined)
  t.strictSame(
    commandsIn(
      '```sh\nprintf x | npm run --silent sotto -- share --burn\nX=$(sotto open "$L")\n```\nor `sotto init`',
    ),
    ['share --burn', 'open "$L"', 'init'],
  )
})

t.test('every script in a document that npm or pnpm is to run exists', async (t) => {
  for (const document of documents) {
    const code = codeIn(text(document)).join('\n')
    const runs = code.matchAll(
      /\bnpm run (?:--silent )?([\w:-]+)|\bpnpm ((?!pack|publish|install)[a-z][\w:-]*)/g,
    )
    for (const [, npm, pnpm = ''] of runs) t.ok(scripts[npm ?? pnpm], `${document}: ${npm ?? pnpm}`)
  }
})

t.test(
  'npx runs the command only where it is installed, because the name may belong to somebody else',
  async (t) => {
    for (const document of documents)
      for (const code of codeIn(text(document)))
        t.notMatch(code, /\bnpx (?:sotto|@sotto\/\S+) [^…]/, document)
  },
)

// Promise (Documents): Every command and option that a document names exists: and every setting
t.test('every setting in a document exists', async (t) => {
  const others = /^SOTTO_(?:URL|TOKEN|SERVICE_HOST|DIGEST|)$/ // of the client, of Kubernetes, and the prefix itself
  for (const document of documents)
    for (const [name] of text(document).matchAll(/\bSOTTO_[A-Z_]*/g))
      t.ok(settingNames.has(name) || others.test(name), `${document}: ${name}`)
})

t.test('every settings file in a document is valid', async (t) => {
  const files = ['configuration.md', 'notifications.md'].flatMap((name) =>
    blocksOf(text(`docs/${name}`), 'ini'),
  )
  t.equal(files.length, 2)
  for (const file of files) t.ok(isValid(t, file), file)
  t.notOk(isValid(t, 'SOTTO_PORTS=3000\n'))
})

/** Code of a document: its blocks, without comments, and what stands between backticks in its text. */
function codeIn(document: string): readonly string[] {
  const blocks = [...document.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, code = '']) => code)
  const prose = document.replaceAll(/^```[^]*?^```$/gm, '')
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '))
  return [...blocks.map((code) => code.replaceAll(/(?:^| )# .*$/gm, '')), ...inline]
}

/** What stands behind `sotto` where a shell would run it, up to the end of that command. */
function commandsIn(document: string): readonly string[] {
  const start =
    /(?:^\s*(?:\$ )?|[|(;&] *|\bnpx (?:--no-install )?|\bsudo |npm run --silent |\/usr\/local\/bin\/)sotto(?: --)? ([^|;&)\n]*)/gm
  return codeIn(document).flatMap((code) =>
    [...code.replaceAll('\\\n', ' ').matchAll(start)].map(([, words = '']) => words.trim()),
  )
}

/** What is wrong with the words behind `sotto`; undefined when they are a command of the program and its options. */
function problemOf(line: string): string | undefined {
  const words = line.split(/\s+/)
  const path: string[] = []
  for (const word of words) {
    const place = places.get(path.join(' '))
    if (place === undefined || place.subcommands.length === 0 || word.startsWith('-')) break
    if (word === '…') return undefined // any command
    if (!place.subcommands.some(({ text }) => text === word))
      return `there is no ${[...path, word].join(' ')}`
    path.push(word)
  }
  const options = places.get(path.join(' '))?.options.map(({ text }) => text) ?? []
  const unknown = words.filter((word) => /^--\w/.test(word)).map((word) => word.split('=')[0] ?? word)
  return unknown.find((word) => !options.includes(word))
}

/** Whether the settings in a file with this text are accepted. */
function isValid(t: Test, file: string): boolean {
  const cwd = t.testdir()
  writeFileSync(join(cwd, 'sotto.env'), file, { mode: 0o600 })
  return readSettings({}, cwd).isOk()
}
