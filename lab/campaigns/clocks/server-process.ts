// A server with its notifier, as `sotto serve` runs it. Prints its address in one line, and runs until it is killed.
//
// arguments: directory, settings as JSON, and `own-clock` for a server that is broken on purpose: it counts by the clock of its machine
import { createSystemClock, startServer, startSystemNotifier } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { openPlace, placeIn } from '../support/place.ts'

const [directory = '', settings = '{}', flaw] = process.argv.slice(2)
const replace = flaw === undefined ? {} : { clock: createSystemClock() }
const installation = await openPlace(
  placeIn(directory, JSON.parse(settings) as Record<string, string>),
  replace,
)
const server = expectOk(
  await startServer({ installation, logStream: { write: (line) => void process.stderr.write(line) } }),
)
startSystemNotifier(installation, server.log)
process.stdout.write(`${JSON.stringify({ listening: server.address })}\n`)
