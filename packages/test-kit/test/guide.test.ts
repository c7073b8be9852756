import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@sotto/core'
import * as identity from '@sotto/identity'
import t, { type Test } from 'tap'
import { createMemoryPorts } from '../src/memory-ports.ts'
import { fewStoresFile } from './fixtures/few-stores.ts'

// Runs what docs/write-an-adapter.md shows, with the files of examples/adapter.

const root = join(import.meta.dirname, '..', '..', '..')
const example = join(root, 'examples', 'adapter')
const guide = readFileSync(join(root, 'docs', 'write-an-adapter.md'), 'utf8')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...guide.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, kind, text = '']) => ({ kind, text }))

t.test('every example of the guide is a file that is run, to the letter', async (t) => {
  const files = [
    join(import.meta.dirname, 'readme', 'random.node-test.ts'),
    ...['harness.ts', 'quota.test.ts', 'quota.vitest.ts'].map((name) => join(example, name)),
  ]
  t.strictSame(
    blocks.filter(({ kind }) => kind === 'ts').map(({ text }) => text),
    files.map((file) => readFileSync(file, 'utf8')),
  )
})

t.test('what the guide names for each port is exported', async (t) => {
  const [, section = ''] = /## What the core has for you\n([^]*?)\n## /.exec(guide) ?? []
  const named = [...section.matchAll(/`([a-z]\w+)`/g)].map(([, name = '']) => name)
  const others = [...Object.keys(createMemoryPorts()), 'update']
  const functions = named.filter((name) => !others.includes(name))
  t.ok(functions.length > 30, `${functions.length} names`)
  t.strictSame(
    functions.filter((name) => !(name in core) && !(name in identity)),
    [],
  )
})

// Promise (Documents): The README's adapter passes its contract
t.test('the smallest adapter passes its contract, and the README of the project shows it', async (t) => {
  const file = join(import.meta.dirname, 'readme', 'random.node-test.ts')
  t.ok(readme.includes(`\`\`\`ts\n${readFileSync(file, 'utf8')}\`\`\``), 'to the letter')
  t.match(tested(['--test', file]), /pass 5\n[^]*fail 0\n/)
})

// Promise (For authors of adapters): An adapter in one file passes the contract of its port
t.test('the adapter of the guide passes every case of its contract', async (t) => {
  t.match(tested(['--test', adapter(t)]), /pass \d\d\n[^]*fail 0\n[^]*skipped 0\n/)
})

// Promise (For authors of adapters): The factory can be checked first
t.test('the command of the guide runs the cases of the factory alone', async (t) => {
  const [command = ''] = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text)
  const [, option = ''] = /^node --test (--test-name-pattern=\S+) quota\.test\.ts\n$/.exec(command) ?? []
  const output = tested(['--test', option.replaceAll("'", ''), adapter(t)])
  const ids = [...output.matchAll(/✔ (\S+)/g)].map(([, id]) => id)
  const factory = ['opens-apart', 'offers-what-it-declares', 'closed-store-answers']
  t.strictSame(
    ids,
    factory.map((id) => `quota-store/${id}`),
  )
})

// Promise (For authors of adapters): A case that an adapter does not support is skipped with the reason
t.test('the guide shows how a case is skipped that the adapter does not support', async (t) => {
  const file = adapter(t, 'harness.ts', (text) =>
    text
      .replace("supports: ['reopen', 'beside']", "supports: ['beside']")
      .replace(/ {4}reopen: async[^]*?\n {4}\},\n/, ''),
  )
  const output = tested(['--test', file])
  t.match(output, /fail 0\n/)
  const skipped = output.split('\n').find((line) => line.startsWith('﹣'))
  t.equal(printed(skipped ?? ''), blocks.find(({ kind }) => kind === 'text')?.text)
})

// Promise (For authors of adapters): A failure names the rule, what was expected and what was found
t.test('the guide shows a failure as it is printed: rule and id, expected, got', async (t) => {
  const file = adapter(t, 'quota.ts', (text) =>
    text
      .replace('At(find(bucket), nowMicros)', 'At(undefined, nowMicros)')
      .replace('answer(() => quota', 'answer(() => find(bucket) ?? quota'),
  )
  const output = tested(['--test', file])
  const [, failures = ''] = output.split('failing tests:\n')
  const [, failure = ''] = /\n(✖ [^]*?)\n *\n {6}at /.exec(failures) ?? []
  t.equal(printed(failure), blocks.filter(({ kind }) => kind === 'text')[1]?.text)
})

// Promise (For authors of adapters): An adapter that lacks stores which its own need is refused
t.test('the guide shows how an adapter that lacks stores is refused, by one case', async (t) => {
  const output = tested(['--test', fewStoresFile])
  t.match(output, /fail 1\n/)
  const [, failures = ''] = output.split('failing tests:\n')
  const [, failure = ''] = /\n(✖ [^]*?)\n {6}at /.exec(failures) ?? []
  t.equal(printed(failure), blocks.filter(({ kind }) => kind === 'text')[2]?.text)
})

/** Copies the example to where it can import the packages, with one file changed. The path of its test. */
function adapter(t: Test, name = '', change = (text: string) => text): string {
  const folder = join(import.meta.dirname, `guide-${process.pid}-${t.name.length}`)
  mkdirSync(folder)
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const file of ['quota.ts', 'harness.ts']) cpSync(join(example, file), join(folder, file))
  const test = join(folder, 'quota.node-test.ts') // not to be found by tap
  cpSync(join(example, 'quota.test.ts'), test)
  if (name !== '') {
    const before = readFileSync(join(folder, name), 'utf8')
    t.not(change(before), before, 'something is changed')
    writeFileSync(join(folder, name), change(before))
  }
  return test
}

function tested(args: readonly string[]): string {
  return spawnSync(process.execPath, ['--test-reporter=spec', ...args], { encoding: 'utf8' }).stdout
}

/** Output without times, which vary from run to run, and without spaces at the ends of lines. */
function printed(output: string): string {
  return `${output.replace(/ \([\d.]+ms\)/g, '').replace(/ +$/gm, '')}\n`
}
