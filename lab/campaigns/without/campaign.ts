import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTree, deleteFolders, projectsOf } from './copy.ts'
import type { Edit, Leaf } from './leaf.ts'
import { sweep, sweepNames } from './sweep.ts'

export interface WithoutOptions {
  readonly leaf: Leaf
  /** The projects that are compiled, as folders below `packages`; by default all. They must use no others. */
  readonly projects?: readonly string[]
  /** The test files and directories that are run, as paths from the root of the checkout. */
  readonly tests: readonly string[]
  /** What a control puts at the beginning of a file, before anything is taken out. */
  readonly change?: { readonly file: string; readonly text: string }
  /** Called with each step that begins. */
  readonly onStep?: (step: string) => void
}

export interface WithoutResult {
  readonly figures: {
    /** The deleted folders, packages and files of texts. */
    readonly folders: number
    /** The elements that were taken out of lists. */
    readonly elements: number
    /** The edits of what is no list, in sources and in tests. */
    readonly otherPlaces: number
    readonly testPlaces: number
    /** The assertions of the remaining tests that passed. */
    readonly assertions: number
  }
  readonly violations: readonly string[]
}

/** Takes a capability out of a copy of the tree, compiles the copy, and runs its tests. Ends at the first of these that fails. */
export async function runWithoutCampaign(options: WithoutOptions): Promise<WithoutResult> {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-without-'))
  try {
    return await takeOut(directory, options)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function takeOut(
  directory: string,
  { leaf, projects: only, tests, change, onStep = () => undefined }: WithoutOptions,
): Promise<WithoutResult> {
  onStep('copy')
  copyTree(directory)
  if (change !== undefined) {
    const path = join(directory, change.file)
    writeFileSync(path, change.text + readFileSync(path, 'utf8'))
  }
  const folders = deleteFolders(directory, leaf)
  const projects = projectsOf(directory, only)
  for (const { file } of leaf.leftOut) rmSync(join(directory, file))
  const { edits } = leaf
  const stale = edits.filter((edit) => !applied(directory, edit))
  const testPlaces = edits.filter(({ file }) => file.split('/')[2] === 'test').length
  const places = { otherPlaces: edits.length - testPlaces, testPlaces }
  const figures = { folders: folders.length, elements: 0, ...places, assertions: 0 }
  if (stale.length > 0) return { figures, violations: stale.map(staleText) }
  onStep('take out')
  const named = sweepNames(directory, leaf.names)
  const swept = sweep(directory, projects)
  const remaining = [...named.remaining, ...swept.remaining]
  const taken = { ...figures, elements: named.elements + swept.elements }
  if (remaining.length > 0) return { figures: taken, violations: remaining }
  onStep('compile')
  const compiled = await run(directory, [join('node_modules', 'typescript', 'bin', 'tsc'), '--build'])
  if (compiled.code !== 0) return { figures: taken, violations: compiled.output.trim().split('\n') }
  onStep('test')
  const paths = tests.flatMap((pattern) => globSync(pattern, { cwd: directory }))
  const tested = await run(directory, [join('scripts', 'test.mjs'), ...paths])
  const assertions = Number(/^(\d+) passed/m.exec(tested.output)?.[1] ?? 0)
  const violations = tested.code === 0 && assertions > 0 ? [] : [tested.output.trim()]
  return { figures: { ...taken, assertions }, violations }
}

/** Replaces a text of the copy. False when the file does not have it once. */
function applied(directory: string, { file, from, to }: Edit): boolean {
  const path = join(directory, file)
  const parts = existsSync(path) ? readFileSync(path, 'utf8').split(from) : []
  if (parts.length !== 2) return false
  writeFileSync(path, parts.join(to))
  return true
}

function staleText({ file, from }: Edit): string {
  return `${file} does not have once: ${from.trim()}`
}

/** Runs a program of Node.js in the copy. */
async function run(
  directory: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
