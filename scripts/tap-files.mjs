// Runs test files, each a program that prints TAP, in the given order. Takes the number of jobs and the timeout from .taprc, as the command
// `tap` does. Files of the directories below share processes. All other files have a process of their own.
//
// The command `tap` also loads hooks into each process, for coverage and mocks, that look at every module, and parses each assertion again.
// Both take longer than most files.
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { run } from './child.mjs'
import { tapCounts } from './tap-output.mjs'

const ROOT = resolve(import.meta.dirname, '..')

const GROUP = resolve(import.meta.dirname, 'tap-group.mjs')

/**
 * Folders whose files share processes, and how many of them share one, so that such a process takes about as long as another file.
 * Files of one process share its servers, too: `startDatabases` starts one PostgreSQL for each process.
 */
const SHARED = new Map([
  ['packages/adapter-mail/test', 12],
  ['packages/adapter-node-crypto/test', 36],
  ['packages/adapter-oidc/test', 12],
  ['packages/adapter-postgres/test', 14],
  ['packages/adapter-sqlite/test', 22],
  ['packages/adapter-webhook/test', 12],
  ['packages/client/test', 12],
  ['packages/core/test', 60],
  ['packages/dashboard-fastify/test', 30],
  ['packages/html/test', 17],
  ['packages/http-fastify/test', 40],
  ['packages/identity/test', 60],
  ['packages/sealed/test', 20],
  ['packages/server/test/system', 5],
  ['packages/server/test', 17],
  ['packages/storage-sql/test', 20],
  ['packages/system/test', 20],
  ['packages/test-kit/test', 20],
  ['packages/texts/test', 20],
  ['packages/wire/test', 40],
  ['scripts/test', 12],
])

/** Files that take as long as a group, measure time, or change something of their process that others would notice. */
const ALONE = [
  'packages/adapter-mail/test/tls.test.ts',
  'packages/adapter-postgres/test/contract.test.ts',
  'packages/adapter-sqlite/test/contract.test.ts',
  'packages/server/test/fixtures.test.ts',
  'packages/server/test/serving/bounds.test.ts',
  'packages/server/test/storage/move-command.test.ts',
  'packages/server/test/serve/serve-command.test.ts',
  'packages/server/test/serve/stopping.test.ts',
  'packages/server/test/workers/workers.test.ts',
]

const settings = readFileSync(resolve(ROOT, '.taprc'), 'utf8')

/**
 * Runs the files. Each process has the place of a test in what `printer` gets.
 * @param {string[]} files
 * @param {import('./tap-output.mjs').Printer} printer
 * @returns {Promise<import('./tap-output.mjs').Counts>}
 */
export async function runTapFiles(files, printer) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  const waiting = processes(files)
  const seconds = numberOf('timeout')
  Object.assign(process.env, { TAP: '1', TAP_TIMEOUT: String(seconds) })
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // The process ends its tests itself in time. It is killed when it cannot, because a test does not return.
      const timeoutMillis = 3 * seconds * 1_000 * next.count
      const counts = await runProcess(next, timeoutMillis, printer)
      for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) total[key] += counts[key]
    }
  }
  await Promise.all(Array.from({ length: numberOf('jobs') }, worker))
  return total
}

/**
 * @param {{ name: string, args: string[] }} started @param {number} timeoutMillis
 * @param {import('./tap-output.mjs').Printer} printer
 */
async function runProcess({ name, args }, timeoutMillis, printer) {
  const start = performance.now()
  let output = ''
  /** @param {string} text */
  const onOutput = (text) => (output += text)
  const code = await run(process.execPath, args, { cwd: ROOT, onOutput, timeoutMillis })
  const counts = tapCounts(output)
  const isOk = code === 0 && counts?.failed === 0
  printer.line(`# Subtest: ${name}`)
  for (const line of output.split('\n')) printer.line(`    ${line}`)
  if (counts === undefined && code === 0) printer.line(`ok 1 - ${name} # SKIP no tests found`)
  else printer.line(`${isOk ? '' : 'not '}ok 1 - ${name} # time=${Math.round(performance.now() - start)}ms`)
  if (counts === undefined) return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  return { ...counts, failed: isOk ? 0 : Math.max(counts.failed, 1) }
}

/** What to start, in the order of the files. @param {string[]} paths @returns {{ name: string, args: string[], count: number }[]} */
function processes(paths) {
  const groups = [...Map.groupBy(paths, folderOf)]
  return groups.flatMap(([folder, all]) => {
    const size = SHARED.get(folder) ?? 1
    const groups = Math.ceil(all.length / size)
    return Array.from({ length: groups }, (_, at) => {
      const part = all.slice(at * size, (at + 1) * size)
      const [path = ''] = part
      const name = part.length === 1 ? nameOf(path) : `${folder} ${at + 1}/${groups}`
      return { name, args: [GROUP, name.replaceAll(/\W+/g, '-'), ...part], count: part.length }
    })
  })
}

/** The folder whose files share processes, or the file itself. @param {string} path */
function folderOf(path) {
  const name = nameOf(path)
  if (ALONE.includes(name)) return name
  return [...SHARED.keys()].find((folder) => name.startsWith(`${folder}/`)) ?? name
}

/** @param {string} path */
function nameOf(path) {
  return relative(ROOT, resolve(ROOT, path))
}

/** A number of .taprc. @param {'jobs' | 'timeout'} name */
function numberOf(name) {
  const value = new RegExp(`^${name}: (\\d+)(?: #.*)?$`, 'm').exec(settings)?.[1]
  if (value === undefined) throw new Error(`.taprc has no ${name}`)
  return Number(value)
}
