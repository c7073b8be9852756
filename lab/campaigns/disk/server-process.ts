// A server that drops what owners delete, as `sotto serve` does. Prints its address and the pid in one line, and runs until its standard input
// ends or it is killed.
//
// arguments: directory, settings as JSON, and `counts-files-only` for a server that is broken on purpose
import { once } from 'node:events'
import { type SecretFileStore } from '@sotto/core'
import { createFullSotto } from '@sotto/identity'
import { startFileSweeper, startServer, type Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { openPlace, placeIn } from '../support/place.ts'

const [directory = '', settings = '{}', flaw] = process.argv.slice(2)
const opened = await openPlace(placeIn(directory, JSON.parse(settings) as Record<string, string>))
const installation = flaw === undefined ? opened : countingFilesOnly(opened)
const logStream = { write: (line: string) => void process.stderr.write(line) }
const server = expectOk(await startServer({ installation, logStream, stopMillis: 200 }))
const sweeper = flaw === undefined ? startFileSweeper({ ...installation, log: server.log }) : undefined
process.stdout.write(`${JSON.stringify({ origin: server.address })}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await Promise.all([server.stop(), sweeper?.stop()])
await installation.close()

/** What a service does that counts a file when it is there: nothing counts while it arrives, and nothing that was removed. */
function countingFilesOnly(installation: Installation): Installation {
  const { secretFiles } = installation.ports
  const reserve: SecretFileStore['reserve'] = (content, limits) =>
    secretFiles.reserve({ ...content, bytes: 0, aheadBytes: 0 }, { ...limits, aheadMax: undefined })
  const ports = { ...installation.ports, secretFiles: { ...secretFiles, reserve } }
  return { ...installation, ports, sotto: createFullSotto({ ports, policy: installation.settings.policy }) }
}
