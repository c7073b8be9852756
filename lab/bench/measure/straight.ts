import type { Generator } from '../load/load.ts'
import { createRequests, get, openRequests } from '../load/requests.ts'
import { cpuSeconds } from '../processes/program.ts'
import type { Store } from '../stores/store.ts'

/** What is measured, in the order of the table. */
export const straightKinds = ['401', 'get', 'open', 'create'] as const

export type StraightKind = (typeof straightKinds)[number]

/** A server under test. */
export interface StraightSubject {
  readonly title: string
  readonly port: number
  readonly pid: number
}

/** Processor time of all threads for a request, in microseconds, of one process. */
export interface StraightSample {
  readonly title: string
  readonly kind: StraightKind
  readonly micros: readonly number[]
}

interface Options {
  readonly generator: Generator
  readonly store: Store
  readonly kinds: readonly StraightKind[]
  readonly rounds: number
  /** The length of one measurement. */
  readonly millis: number
  /** How long each process is warmed up, all kinds together. A create takes half as long again before. */
  readonly warm: number
}

const connections = 64
const noToken = 'sotto_0123456789012345678901234567890123456789012345'

/** The requests of each kind, and the status of their answers. */
export function loadsOf({ members: [, member], links, creators }: Store) {
  return {
    '401': { requests: [get('/api/folders', noToken)], expect: 401 },
    get: {
      requests: (member?.secretIds ?? []).map((id) => get(`/api/secret/${id}`, member?.token)),
      expect: 200,
    },
    open: { requests: openRequests(links, false), expect: 200 },
    create: { requests: createRequests(creators), expect: 201 },
  }
}

/** Measures one process of each subject, in alternating order, after a warm-up. */
export async function measureStraight(
  subjects: readonly StraightSubject[],
  { generator, store, kinds, rounds, millis, warm }: Options,
): Promise<readonly StraightSample[]> {
  const all = kinds.flatMap((kind) =>
    subjects.map((subject) => ({ ...subject, kind, micros: [] as number[] })),
  )
  const loads = loadsOf(store)
  const measure = async ({ port, pid, kind }: (typeof all)[number], length: number): Promise<number> => {
    const before = cpuSeconds(pid)
    const [{ requests }] = await generator.run([{ ...loads[kind], port, connections, millis: length }])
    return ((cpuSeconds(pid) - before) / requests) * 1e6
  }
  for (const each of all) await measure(each, warm / kinds.length)
  for (let round = 0; round < rounds; round += 1)
    for (const each of round % 2 === 0 ? all : all.toReversed()) each.micros.push(await measure(each, millis))
  return all
}
