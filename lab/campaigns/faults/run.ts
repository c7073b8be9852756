import { setTimeout as pause } from 'node:timers/promises'
import { check } from '../crash/check.ts'
import { startLoad } from '../crash/load.ts'
import { createClient, type Client } from '../support/client.ts'
import { httpStep } from '../crash/http-steps.ts'
import type { Ledger } from '../crash/ledger.ts'
import { prepareLedger } from '../crash/prepare-ledger.ts'
import type { Chance } from '../support/chance.ts'
import type { Place } from '../support/place.ts'
import type { FaultFigures } from './figures.ts'
import type { FaultKind } from './kinds.ts'
import { awaitEnd, awaitNotice, checkLog, entryToRead, readDuring, type Observed } from './observe.ts'
import { startFaultyServer, type FaultyServer } from './server.ts'

export interface RunOptions {
  readonly place: Place
  /** The command `sotto`. */
  readonly program: URL
  readonly chance: Chance
  readonly figures: FaultFigures
  readonly kinds: readonly FaultKind[]
  /** Called after each fault, before what it has left behind is checked. */
  readonly afterFault: (dataDir: string) => void
}

/** Runs one installation through its cycles of load, fault and check. */
export class Run {
  readonly #options: RunOptions
  #server: FaultyServer | undefined
  #client: Client | undefined

  constructor(options: RunOptions) {
    this.#options = options
  }

  /** Resolves with the violations. */
  async through(cycles: number): Promise<readonly string[]> {
    const { place, chance, figures, kinds } = this.#options
    const ledger = await prepareLedger(place, figures.load)
    await this.#createLinkToRead(ledger)
    for (let cycle = 0; cycle < cycles && ledger.violations.length === 0; cycle += 1) {
      // Each kind before any happens again.
      const kind = kinds[figures.faults % kinds.length]
      if (kind === undefined) throw new Error('no fault can be made here')
      await this.#suffer(ledger, kind)
      if (chance.happens(40)) await this.#stop(ledger)
      const { client } = await this.#running()
      await check({ place, ledger, client, withPasswords: cycle === cycles - 1 })
    }
    await this.#stop(ledger)
    return ledger.violations
  }

  async end(): Promise<void> {
    this.#client?.close()
    await this.#server?.child.kill()
  }

  async #createLinkToRead(ledger: Ledger): Promise<void> {
    const { client } = await this.#running()
    const { chance } = this.#options
    for (let tries = 0; entryToRead(ledger) === undefined && tries < 100; tries += 1)
      await httpStep({ ledger, chance, client })
  }

  async #suffer(ledger: Ledger, kind: FaultKind): Promise<void> {
    const { place, chance, figures, afterFault } = this.#options
    const { server, client } = await this.#running()
    const observed = { kind, server, client, ledger, figures }
    const load = startLoad({ ledger, chance, client, overHttp: 6, pauseMillis: 25 })
    await pause(chance.between(150, 400))
    // Writes that arrive together fail together. Alone, readiness has to notice the fault by itself.
    if (kind.hasExpired === true || (kind.isSteady === true && chance.happens(50))) await load.stop()
    ledger.countsMayBeForgotten = true
    ledger.readsMayFail = kind.readsMayFail === true
    ledger.diskMayBeFull = true
    ledger.ticketsMayEnd = kind.setsClock === true
    if (ledger.ticketsMayEnd) for (const entry of ledger.entries.values()) delete entry.tickets
    const end = await kind.begin({ server, place, chance })
    try {
      await this.#during(observed)
    } finally {
      await end()
    }
    figures.faults += 1
    figures.kinds.set(kind.name, (figures.kinds.get(kind.name) ?? 0) + 1)
    await this.#recover(observed)
    await load.stop()
    ledger.readsMayFail = ledger.diskMayBeFull = ledger.ticketsMayEnd = false
    afterFault(place.settings.dataDir)
  }

  async #during(observed: Observed): Promise<void> {
    const { chance, figures } = this.#options
    const { kind, ledger, server } = observed
    await awaitNotice(observed)
    if (kind.then === 'ends') {
      if (!server.child.stderr().includes('the disk did not keep what was written to it'))
        ledger.violations.push(`${kind.name}: the log does not say why the server has ended`)
      this.#forget(ledger)
      return
    }
    await readDuring(observed)
    await pause(chance.between(100, 600))
    await readDuring(observed)
    if (!chance.happens(15)) return
    await server.child.kill()
    figures.killed += 1
    this.#forget(ledger)
  }

  /** The server must work by itself after a fault; after one that has ended it, it must work when it is started again. */
  async #recover(observed: Observed): Promise<void> {
    const { chance, figures } = this.#options
    const { ledger } = observed
    const { server, client } = await this.#running()
    await awaitEnd({ ...observed, server, client })
    const before = figures.load.created
    const load = startLoad({ ledger, chance, client, overHttp: 6, pauseMillis: 25 })
    for (let tries = 0; figures.load.created === before && tries < 100; tries += 1) await pause(50)
    await load.stop()
    if (figures.load.created === before)
      ledger.violations.push(`${observed.kind.name}: nothing is created after its end`)
  }

  async #running(): Promise<{ readonly server: FaultyServer; readonly client: Client }> {
    const { place, program } = this.#options
    this.#server ??= await startFaultyServer(place, program)
    this.#client ??= this.#tallied(createClient([this.#server.origin]))
    return { server: this.#server, client: this.#client }
  }

  #tallied(client: Client): Client {
    const { figures } = this.#options
    return {
      close: () => client.close(),
      async ask(...given) {
        const answer = await client.ask(...given)
        if (answer?.status === 503) figures.refused += 1
        if (answer?.status === 500) figures.failed += 1
        return answer
      },
    }
  }

  async #stop(ledger: Ledger): Promise<void> {
    if (this.#server === undefined) return
    const { child } = this.#server
    this.#client?.close()
    child.process.kill('SIGTERM')
    const code = await child.ended
    if (code !== 0) ledger.violations.push(`the server does not stop: ${code}`)
    this.#options.figures.restarted += 1
    this.#forget(ledger)
  }

  /** The server has ended. */
  #forget(ledger: Ledger): void {
    checkLog(this.#server?.child.stderr() ?? '', ledger)
    this.#client?.close()
    this.#server = this.#client = undefined
  }
}
