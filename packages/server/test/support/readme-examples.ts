import { execFile, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { program } from './program.ts'

// For the tests of READMEs: examples become files and processes.

/** The fenced code blocks of a document in a language. */
export function blocksOf(document: string, language: string): string[] {
  return [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
}

/** Writes an example to a file that can import the packages of the workspace. */
export function exampleFile(t: Test, name: string, text: string): string {
  const file = join(import.meta.dirname, `readme-${name}-${process.pid}.ts`)
  writeFileSync(file, text)
  t.teardown(() => rmSync(file, { force: true })) // an example may be run more than once
  return file
}

export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-readme-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The environment of a server or command with an installation of its own, empty at first. */
export function installation(t: Test) {
  const home = temporaryFolder(t)
  return {
    ...process.env,
    SOTTO_DATA_DIR: join(home, 'data'),
    SOTTO_KEYS_FILE: join(home, 'k', 'keys.json'),
  }
}

/** Runs a script in bash, to its first error. What it printed. */
export async function shell(script: string, env: NodeJS.ProcessEnv): Promise<string> {
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })).stdout
}

/** An example with the port of a test's server, and the command of this checkout. */
export function onThisMachine(block: string, port: number): string {
  return block
    .replaceAll('http://localhost:3000', `http://127.0.0.1:${port}`)
    .replaceAll('npm run --silent sotto --', `'${process.execPath}' '${program}'`)
}

/** What a process prints, up to a line that matches or to the end. */
export async function linesUntil({ stdout }: ChildProcess, last: RegExp): Promise<string> {
  let text = ''
  if (stdout === null) return text
  for await (const line of createInterface({ input: stdout })) {
    text += `${line}\n`
    if (last.test(line)) break
  }
  return text
}

/** Ends a process with SIGTERM. Its exit code; `null` when it did not handle the signal. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  return exit
}
