// The command `sotto` in a process that loads everything, then waits for one line on standard input before it begins. So a campaign of many
// processes does not spend its time on loading them. It ends when standard input does. The workers of a server run this program, too: they
// begin immediately, and end with their server.
import { runProgram } from '@sotto/server'

const { argv, env, stdin, stdout, stderr } = process
const run = (): void =>
  void runProgram(argv.slice(2), { env, cwd: process.cwd(), stdin, stdout, stderr }).then((code) =>
    process.exit(code),
  )
if (process.send === undefined) {
  stdin.on('end', () => process.exit(0))
  stdin.once('data', run)
} else run()
