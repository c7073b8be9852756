// The command `sotto` in a process that loads everything, then waits for one line on standard input before it begins, so that a
// campaign of many processes does not spend its time on loading them. It ends when standard input does.
import { runProgram } from '../../../packages/server/src/index.ts'

const { argv, env, stdin, stdout, stderr } = process
stdin.on('end', () => process.exit(0))
stdin.once('data', () => {
  void runProgram(argv.slice(2), { env, cwd: process.cwd(), stdin, stdout, stderr }).then((code) =>
    process.exit(code),
  )
})
