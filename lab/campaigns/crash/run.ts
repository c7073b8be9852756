import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bundle } from '../support/bundle.ts'
import type { Chance } from '../support/chance.ts'
import { startChild, type Child } from '../support/child.ts'
import type { Place } from '../support/place.ts'
import type { CampaignDatabase } from '../support/postgres.ts'
import { check, checkSwept } from './check.ts'
import { createClient, type Client } from '../support/client.ts'
import { prepareLedger } from './prepare-ledger.ts'
import { openOverHttp } from './http-steps.ts'
import type { Figures, Ledger } from './ledger.ts'
import { startLoad } from './load.ts'
import { createOperator, type Operator } from './operator.ts'

/** The programs that run in their own processes. */
export const programSources = {
  command: new URL('./command-process.ts', import.meta.url),
  operator: new URL('./operator-process.ts', import.meta.url),
}
type Programs = Bundle<keyof typeof programSources>['programs']

export interface RunOptions {
  readonly place: Place
  readonly programs: Programs
  readonly chance: Chance
  readonly figures: Figures
  readonly servers: number
  readonly workers: number
  readonly database: CampaignDatabase | undefined
  /** Called when every process that had the data open was killed. */
  readonly afterKill: (dataDir: string) => void
}

/** Runs one installation through its cycles of load, kill and check. */
export class Run {
  readonly #place: Place
  readonly #programs: Programs
  readonly #chance: Chance
  readonly #figures: Figures
  readonly #servers: number
  readonly #workers: number
  readonly #database: CampaignDatabase | undefined
  readonly #afterKill: (dataDir: string) => void
  /** Processes that have loaded their program and wait for the line that starts it. */
  readonly #spares = new Map<string, Child>()
  readonly #living = new Set<Child>()
  #operator: Operator | undefined

  constructor({ place, programs, chance, figures, servers, workers, database, afterKill }: RunOptions) {
    this.#place = place
    this.#programs = programs
    this.#chance = chance
    this.#figures = figures
    this.#servers = servers
    this.#workers = workers
    this.#database = database
    this.#afterKill = afterKill
  }

  /** Resolves with the violations. */
  async through(cycles: number): Promise<readonly string[]> {
    // The very first start is killed as well.
    await this.#killWhileStarting()
    const ledger = await prepareLedger(this.#place, this.#figures)
    for (let cycle = 1; cycle < cycles && ledger.violations.length === 0; cycle += 1) {
      if (this.#database !== undefined && cycle % 3 === 0) await this.#crashUnderLoad(ledger, this.#database)
      else if (this.#chance.happens(10)) await this.#killWhileStarting()
      else await this.#killUnderLoad(ledger)
    }
    if (ledger.violations.length === 0) await this.#conclude(ledger)
    return ledger.violations
  }

  async end(): Promise<void> {
    await Promise.all([...this.#living].map((child) => child.kill()))
  }

  async #killWhileStarting(): Promise<void> {
    const server = this.#take('command', 'serve', '--json')
    server.send('go')
    await pause(this.#chance.between(0, 90))
    await this.#kill(server)
    this.#figures.killsWhileStarting += 1
  }

  async #killUnderLoad(ledger: Ledger): Promise<void> {
    const chance = this.#chance
    const { servers, client } = await this.#serve()
    await check({ place: this.#place, ledger, client, withPasswords: false })
    const operator = (this.#operator ??= createOperator(this.#take('operator', this.#place.directory)))
    const load = startLoad({ ledger, chance, client, operator, overHttp: 12, byOperator: 3 })
    await load.firstAnswers
    // Sometimes long enough to hash a password.
    const millis = chance.happens(10) ? chance.between(300, 1_000) : chance.between(50, 300)
    const rotating = chance.happens(12) ? this.#rotateFor(chance.between(0, 3_500)) : undefined
    // A rotation waits for two seconds before it moves the rows.
    if (rotating !== undefined && chance.happens(50)) await pause(2_000)
    await pause(millis)
    if (this.#workers > 1 && chance.happens(50)) {
      await this.#killOneWorker(servers)
      // Sometimes long enough for its replacement to listen.
      await pause(chance.between(0, chance.happens(50) ? 50 : 1_000))
    }
    const both = chance.happens(50)
    await Promise.all([
      ...servers.map((server) => this.#kill(server)),
      both ? this.#killOperator() : undefined,
    ])
    await rotating
    await load.stop()
    client.close()
    if (both) this.#afterKill(this.#place.settings.dataDir)
  }

  /** The servers stay: they must work again by themselves once the database does. */
  async #crashUnderLoad(ledger: Ledger, database: CampaignDatabase): Promise<void> {
    const chance = this.#chance
    const { servers, client } = await this.#serve()
    await check({ place: this.#place, ledger, client, withPasswords: false })
    const operator = (this.#operator ??= createOperator(this.#take('operator', this.#place.directory)))
    const load = startLoad({ ledger, chance, client, operator, overHttp: 12, byOperator: 3 })
    await load.firstAnswers
    await pause(chance.between(50, 300))
    ledger.countsMayBeForgotten = true
    await database.crash()
    this.#figures.databaseCrashes += 1
    await pause(chance.between(0, 100))
    await database.restart()
    await pause(chance.between(0, 200))
    await load.stop()
    await this.#untilReady(client, ledger)
    await check({ place: this.#place, ledger, client, withPasswords: false })
    client.close()
    await Promise.all(servers.map((server) => this.#killBeside(server)))
  }

  async #untilReady(client: Client, ledger: Ledger): Promise<void> {
    for (let ready = 0, tries = 0; ready < 2 * this.#servers; tries += 1) {
      const answer = await client.ask('GET', '/readyz')
      ready = answer?.status === 200 ? ready + 1 : 0
      if (ready === 0) await pause(100)
      if (tries > 300) return void ledger.violations.push('a server did not become ready again')
    }
  }

  /** Completes a rotation without another kill, then opens links with a limit until they permit no further open. */
  async #conclude(ledger: Ledger): Promise<void> {
    await this.#rotate(ledger)
    const { servers, client } = await this.#serve()
    await check({ place: this.#place, ledger, client, withPasswords: true })
    const limited = [...ledger.entries.values()].filter(
      ({ possible, openLimit, password }) =>
        possible[0] === 'shared' && openLimit !== undefined && password === undefined,
    )
    for (const entry of limited.slice(-40)) {
      const left = (entry.openLimit ?? 0) - entry.opens.least
      const before = entry.delivered
      for (let tries = 0; tries <= left; tries += 1) await openOverHttp(client, ledger, entry)
      if (entry.delivered - before === left) continue
      ledger.violations.push(`${entry.label}: ${entry.delivered - before} opens, but ${left} were left`)
    }
    client.close()
    for (const server of servers) {
      server.process.kill('SIGTERM')
      await server.ended
      this.#living.delete(server)
    }
    await checkSwept(this.#place, ledger)
  }

  async #serve(): Promise<{ readonly servers: readonly Child[]; readonly client: Client }> {
    const started = await Promise.all(Array.from({ length: this.#servers }, () => this.#startServer()))
    const client = createClient(started.map(({ origin }) => origin))
    return { servers: started.map(({ server }) => server), client }
  }

  async #startServer(): Promise<{ readonly server: Child; readonly origin: string }> {
    for (let tries = 1; ; tries += 1) {
      const server = this.#take('command', 'serve', '--json')
      server.send('go')
      try {
        const { listening } = JSON.parse(await server.line()) as { readonly listening: string }
        return { server, origin: listening }
      } catch (error) {
        this.#living.delete(server)
        // Another process took the port after the server had found it free.
        if (tries === 5 || !server.stderr().includes('port is in use')) throw error
      }
    }
  }

  /**
   * Rotates the keys completely. What was killed delays it for up to a minute: a rotation by its lock, and on PostgreSQL a server that has
   * not shown the new key.
   */
  async #rotate(ledger: Ledger): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const rotation = this.#take('command', 'keys', 'rotate')
      rotation.send('go')
      const code = await rotation.ended
      this.#living.delete(rotation)
      if (code === 0) break
      const isDelayed = /another process is changing the key file|does not become active yet/i.test(
        rotation.stderr(),
      )
      if (!isDelayed || tries > 13) {
        ledger.violations.push(`the keys do not rotate: ${rotation.stderr()}`)
        return
      }
      await pause(5_000)
    }
    this.#figures.rotations += 1
  }

  /** Rotates the keys, and kills the rotation after a while unless it has ended. */
  async #rotateFor(millis: number): Promise<void> {
    const rotation = this.#take('command', 'keys', 'rotate')
    rotation.send('go')
    await Promise.race([pause(millis), rotation.ended])
    const done = rotation.process.exitCode !== null
    await this.#killBeside(rotation)
    this.#figures[done ? 'rotations' : 'rotationKills'] += 1
  }

  /** The server goes on: what the others acknowledge while one is missing counts as always. */
  async #killOneWorker(servers: readonly Child[]): Promise<void> {
    const { pid = 0 } = this.#chance.pick(servers)?.process ?? {}
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    const worker = this.#chance.pick(children.trim().split(' ').map(Number))
    if (worker === undefined || worker === 0) return
    process.kill(worker, 'SIGKILL')
    this.#figures.workerKills += 1
  }

  async #killOperator(): Promise<void> {
    if (this.#operator === undefined) return
    const { child } = this.#operator
    this.#operator = undefined
    this.#figures.operatorKills += 1
    await this.#killBeside(child)
  }

  async #kill(server: Child): Promise<void> {
    await this.#killBeside(server)
    this.#figures.kills += 1
  }

  async #killBeside(child: Child): Promise<void> {
    await child.kill()
    this.#living.delete(child)
  }

  /** Takes the spare process of this program, and starts the next spare one. */
  #take(program: keyof Programs, ...args: string[]): Child {
    const name = [program, ...args].join(' ')
    const taken = this.#spares.get(name) ?? this.#start(program, args)
    this.#spares.set(name, this.#start(program, args))
    return taken
  }

  #start(program: keyof Programs, args: readonly string[]): Child {
    const child = startChild({ program: this.#programs[program], args, env: this.#place.env, group: true })
    this.#living.add(child)
    return child
  }
}
