#!/usr/bin/env node
import { runProgram } from './cli/program.ts'

const { argv, env, stdin, stdout, stderr } = process
process.exitCode = await runProgram(argv.slice(2), { env, cwd: process.cwd(), stdin, stdout, stderr })
