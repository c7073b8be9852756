// A server with its notifier, as `sotto serve` runs it. Prints its address in one line, and runs until it is killed.
//
// arguments: directory, settings as JSON, how many microseconds the machine's clock, which it counts by then, is ahead, and
// `queue-afterwards` for a server that is broken on purpose
import { setTimeout as pause } from 'node:timers/promises'
import { ok, type Result } from 'neverthrow'
import { type LinkChange, type LinkRecord, type LinkStore, type SecretEvent } from '@sotto/core'
import { createFullSotto } from '@sotto/identity'
import { createSystemClock, startServer, startSystemNotifier, type Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { openPlace, placeIn } from '../support/place.ts'

const [directory = '', settings = '{}', ahead, flaw] = process.argv.slice(2)
const machine = createSystemClock()
const clock = { nowMicros: () => machine.nowMicros() + Number(ahead) }
const opened = await openPlace(
  placeIn(directory, JSON.parse(settings) as Record<string, string>),
  ahead === undefined ? {} : { clock },
)
const installation = flaw === undefined ? opened : queuingAfterwards(opened)
const server = expectOk(
  await startServer({ installation, logStream: { write: (line) => void process.stderr.write(line) } }),
)
startSystemNotifier(installation, server.log)
process.stdout.write(`${JSON.stringify({ listening: server.address })}\n`)

/** What a service without an outbox does: the open is counted first, and its message is queued a moment later. */
function queuingAfterwards(installation: Installation): Installation {
  const { links } = installation.ports
  const update: LinkStore['update'] = <Change extends LinkChange, E>(
    lookup: Uint8Array,
    formId: string | undefined,
    decide: (record: LinkRecord) => Result<Change, E>,
  ) => {
    let events: LinkChange['events']
    const withoutEvents = (record: LinkRecord): Result<Change, E> =>
      decide(record).map((change) => {
        events = change.events
        return { ...change, events: [] }
      })
    return links.update(lookup, formId, withoutEvents).map((change) => {
      if (events !== undefined) void queueLater(links, lookup, events)
      return change
    })
  }
  const ports = { ...installation.ports, links: { ...links, update } }
  return { ...installation, ports, sotto: createFullSotto({ ports, policy: installation.settings.policy }) }
}

async function queueLater(
  links: LinkStore,
  lookup: Uint8Array,
  events: readonly SecretEvent[],
): Promise<void> {
  await pause(250)
  expectOk(await links.update(lookup, undefined, () => ok({ events })))
}
