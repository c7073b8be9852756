#!/usr/bin/env node
import { restartWithSmallHeap } from './serving/small-heap.ts'

const { argv, env, stdin, stdout, stderr, versions } = process
const major = Number(versions.node.split('.')[0])

if (major < 24) {
  // The version is checked before anything else is loaded: the native modules crash an older Node.js without a message.
  stderr.write(`sotto needs Node.js 24 or later, and this is ${versions.node}.\n`)
  process.exitCode = 1
} else {
  if (argv[2] === 'serve') restartWithSmallHeap()
  const { runProgram } = await import('./program.ts')
  process.exitCode = await runProgram(argv.slice(2), { env, cwd: process.cwd(), stdin, stdout, stderr })
}
