import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '../support/chance.ts'
import { startChild } from '../support/child.ts'
import type { Place } from '../support/place.ts'
import { serve } from '../support/served.ts'
import { createClient } from '../support/client.ts'
import { createOperator, type OperatorTask } from './operator.ts'
import type { OperatorAnswer } from './operator-process.ts'

/** A process that attempts one thing with others, more often than it is allowed. */
export interface Racer {
  /** `undefined` when it was killed before it answered. */
  ask(task: OperatorTask): Promise<OperatorAnswer | undefined>
  kill(): Promise<void>
  end(): Promise<unknown>
}

/**
 * Starts a process that works on the place by itself. Resolves when it has opened it.
 * @param flaw a store that is broken on purpose
 */
export async function startRacer({ directory, env }: Place, flaw?: 'read-then-write'): Promise<Racer> {
  const program = new URL('./operator-process.ts', import.meta.url)
  const args = flaw === undefined ? [directory] : [directory, flaw]
  const { child, ask } = createOperator(startChild({ program, args, env }))
  if ((await ask({ task: 'open', token: 'none' })) === undefined) throw new Error(child.stderr())
  return { ask, kill: () => child.kill(), end: () => child.end() }
}

/** Starts one server with workers, and clients that open its links. `deliverers` are the workers that have delivered a note. */
export async function startClients(
  place: Place,
  { clients, workers }: { readonly clients: number; readonly workers: number },
): Promise<{ readonly racers: Racer[]; readonly deliverers: ReadonlySet<string>; stop(): Promise<void> }> {
  const program = new URL('../../../packages/server/src/main.ts', import.meta.url).pathname
  const deliverers = new Set<string>()
  const env = { ...place.env, SOTTO_WORKERS: String(workers), SOTTO_LOG_LEVEL: 'info' }
  const server = await serve(program, { ...place, env }, (line) => {
    const [, pid] = /"pid":(\d+),.*"status":200/.exec(line) ?? []
    if (pid !== undefined) deliverers.add(pid)
  })
  const racers = Array.from({ length: clients }, () => clientOf(server.origin))
  return { racers, deliverers, stop: () => server.stop() }
}

function clientOf(origin: string): Racer {
  const client = createClient([origin])
  return {
    async ask(task) {
      if (task.task !== 'open') throw new Error('a client only opens links')
      const { token, password, proof } = task
      const answer = await client.ask('POST', `/${token}`, { body: { password, proof } })
      if (answer === undefined) return undefined
      const { status, text } = answer
      const code = { 403: 'key_wrong', 404: 'link_not_found', 503: 'storage_unavailable' }[status]
      if (status === 429 && password !== undefined) return { nr: 0, code: 'attempts_under_way' }
      if (status !== 200) return { nr: 0, code: code ?? `${status} ${text}` }
      const { data } = JSON.parse(text) as { data: { note: string; files?: readonly { url: string }[] } }
      const [file] = data.files ?? []
      const [, , ticket] = file === undefined ? [] : new URL(file.url).pathname.split('/')
      return { nr: 0, note: data.note, ...(ticket !== undefined && { ticket }) }
    },
    kill: () => Promise.reject(new Error('a client is not killed')),
    end() {
      client.close()
      return Promise.resolve()
    },
  }
}

export interface RaceOptions {
  /** Attempts of each racer. */
  readonly times: number
  /** Whether the attempts of a racer begin in small groups, so that those of several interleave; otherwise all at once. */
  readonly inGroups?: boolean
  /** Kills one of the racers meanwhile: at a random time, or when something is durable that it attempted, before it says so. */
  readonly kill?: 'at some time' | 'unheard' | undefined
  readonly chance: Chance
}

/** Lets all racers attempt something at once. A racer that was killed is replaced by a new one when all attempts have ended. */
export async function race(
  racers: Racer[],
  start: () => Promise<Racer>,
  { times, inGroups = false, kill, chance }: RaceOptions,
  attempt: (racer: Racer, nr: number) => Promise<unknown>,
): Promise<void> {
  const killed = kill === undefined ? undefined : chance.pick(racers)
  const attemptAll = async (racer: Racer, first: number): Promise<void> => {
    const attempts: Promise<unknown>[] = []
    for (let nr = 0; nr < times; nr += 1) {
      attempts.push(attempt(racer, first + nr))
      if (inGroups && nr % 10 === 9) await turn()
    }
    await Promise.all(attempts)
  }
  const ended = Promise.all(
    racers.map((racer, at) => {
      const dies = racer === killed && kill === 'unheard'
      return attemptAll(dies ? dyingUnheard(racer) : racer, at * times)
    }),
  )
  if (kill === 'at some time') await pause(chance.between(0, 600))
  else await ended
  await killed?.kill()
  await ended
  if (killed !== undefined) racers[racers.indexOf(killed)] = await start()
}

function dyingUnheard(racer: Racer): Racer {
  return { ...racer, ask: (task) => racer.ask({ ...task, diesUnheard: true }) }
}

const laterCodes = ['storage_unavailable', 'outcome_unknown', 'attempts_under_way', 'hasher_busy']

/** Attempts a thing until the answer is no longer to try it later. `undefined` when the racer was killed. */
export async function persist(
  once: () => Promise<OperatorAnswer | undefined>,
  figures: { retries: number },
): Promise<OperatorAnswer | undefined> {
  for (;;) {
    const answer = await once()
    if (answer?.code === undefined || !laterCodes.includes(answer.code)) return answer
    figures.retries += 1
    // People are asked to wait for a second. Waiting less makes the race harder.
    await pause(20 + Math.random() * 180)
  }
}
