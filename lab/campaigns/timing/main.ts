/**
 * Measures whether the time of an answer tells apart what has to look the same: dead links, invalid access tokens, secrets and folders that
 * the caller may not know of. Requests of all kinds are sent in random order over one connection to a server process, and each kind is
 * compared with the unknown one. As a control, the same is done with what must be noticed: an unknown one that is sent 10 µs later, and a
 * live link. A group with a result that should not be is measured again: a real difference shows again, one by chance does not. On Linux
 * the server and this process each keep to one processor.
 *
 *     npm run campaign timing -- [--requests N]
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@sotto/core'
import { createSystemClock } from '@sotto/system'
import { expectOk } from '@sotto/test-kit'
import { conclude, optionsFrom } from '../support/command.ts'
import { makePlace, openPlace } from '../support/place.ts'
import { serve } from '../support/served.ts'
import { openConnection, type Connection } from './connection.ts'
import {
  deadLinks,
  invalidTokens,
  liveLinks,
  makeMaker,
  missingFolders,
  missingSecrets,
  type Kinds,
  type Maker,
} from './kinds.ts'
import { compare, differentFrom } from './statistics.ts'

const delayed = 'control: 10 µs later'
const live = 'control: live'

interface Group {
  readonly name: string
  /** Made right before it is measured, because what has expired is swept after ten minutes. */
  make(): Promise<Kinds>
  /** The request for one of what was made. */
  request(name: string): string
  /** Kinds that must be noticed. */
  readonly controls: readonly string[]
}

const { requests } = optionsFrom({ requests: 20_000 })
const place = makePlace()
const violations: string[] = []
const clock: Maker['clock'] = shiftable(createSystemClock())
const installation = await openPlace(place, { clock })
const maker = await makeMaker({ installation, clock }, 'owner@example.org')
const stranger = await makeMaker({ installation, clock }, 'stranger@example.org')
const main = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url))
const server = await serve(main, place)
keepTo(1, process.pid)
keepTo(0, server.pid)
try {
  const { host, port } = new URL(server.origin)
  for (const group of await groupsOn(host)) {
    const wrong = await measure(group, Number(port))
    if (wrong.size === 0) continue
    console.log(`${group.name} again, because of: ${[...wrong.values()].join('; ')}`)
    const again = await measure(group, Number(port))
    for (const [kind, what] of again) if (wrong.has(kind)) violations.push(what)
  }
  conclude({ requestsOfEachKind: requests }, violations)
} finally {
  await server.stop()
  await installation.close()
  place.remove()
}

async function groupsOn(host: string): Promise<readonly Group[]> {
  const { accountId } = maker
  const { token } = expectOk(await installation.sotto.createAccessToken({ accountId, name: 'campaign' }))
  const line = (method: string, path: string, ...headers: readonly string[]) =>
    `${[`${method} ${path} HTTP/1.1`, `host: ${host}`, ...headers].join('\r\n')}\r\n`
  const post = (path: string, body: string, ...headers: readonly string[]) =>
    line(
      'POST',
      path,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...headers,
    ) + `\r\n${body}`
  const authorization = (given: string) => `authorization: Bearer ${given}`
  const links = { make: () => deadLinks(maker), controls: [delayed] }
  return [
    {
      name: 'GET link',
      make: async () => ({ ...(await deadLinks(maker)), [live]: await liveLinks(maker) }),
      request: (link) => `${line('GET', `/${link}`, 'accept: text/html')}\r\n`,
      controls: [delayed, live],
    },
    { ...links, name: 'POST link', request: (link) => post(`/${link}`, '{}') },
    {
      ...links,
      name: 'POST link, password',
      request: (link) => post(`/${link}`, '{"password":"a guess"}'),
    },
    {
      name: 'access token',
      make: () => invalidTokens(maker),
      request: (given) => `${line('GET', '/api/folders', authorization(given))}\r\n`,
      controls: [delayed],
    },
    {
      name: 'GET secret',
      make: () => missingSecrets(maker, stranger),
      request: (id) => `${line('GET', `/api/secret/${id}`, authorization(token))}\r\n`,
      controls: [delayed],
    },
    {
      name: 'DELETE secret',
      make: () => missingSecrets(maker, stranger),
      request: (id) => `${line('DELETE', `/api/secret/${id}`, authorization(token))}\r\n`,
      controls: [delayed],
    },
    {
      name: 'folder_id',
      make: () => missingFolders(stranger),
      request: (id) =>
        post(
          '/api/secret',
          JSON.stringify({ label: 'a label', note: 'a note', folder_id: id }),
          authorization(token),
        ),
      controls: [delayed],
    },
  ]
}

/** Measures a group. What should not be, by kind and direction. */
async function measure(group: Group, port: number): Promise<ReadonlyMap<string, string>> {
  const wrong = new Map<string, string>()
  const made = await group.make()
  // Others for the control: what is sent twice as often is faster.
  const half = made.unknown.length / 2
  const all = { ...made, unknown: made.unknown.slice(0, half), [delayed]: made.unknown.slice(half) }
  const kinds = Object.entries(all).map(([kind, names]) => ({
    kind,
    isControl: group.controls.includes(kind),
    delayMicros: kind === delayed ? 10 : 0,
    requests: names.map((name) => Buffer.from(group.request(name))),
    micros: [] as number[],
    answers: new Set<string>(),
  }))
  const connection = await openConnection(port)
  // The first requests are slow, until the server's code is compiled.
  await sendInterleaved(connection, kinds, Math.ceil(requests / 10))
  for (const kind of kinds) kind.micros.length = 0
  await sendInterleaved(connection, kinds, requests)
  connection.close()
  const unknown = kinds.find(({ kind }) => kind === 'unknown')
  if (unknown === undefined) throw new TypeError('every group has an unknown kind')
  for (const { kind, micros, answers, isControl } of kinds) {
    if (kind === 'unknown') continue
    const { difference, t } = compare(micros, unknown.micros)
    const name = `${group.name}, ${kind}`
    console.log(
      name.padEnd(44),
      `${difference.toFixed(2)} µs`.padStart(10),
      `t = ${t.toFixed(1)}`.padStart(10),
    )
    if (isControl !== Math.abs(t) >= differentFrom)
      wrong.set(
        isControl ? kind : `${kind} ${Math.sign(t)}`,
        isControl ? `${name}: not noticed` : `${name}: t = ${t.toFixed(1)}`,
      )
    if (kind !== live && answers.union(unknown.answers).size !== 1)
      wrong.set(kind, `${name}: the answers differ`)
  }
  return wrong
}

/** Sends so many requests of each kind, the kinds of each round in random order. */
async function sendInterleaved(
  connection: Connection,
  kinds: readonly {
    readonly delayMicros: number
    readonly requests: readonly Buffer[]
    readonly micros: number[]
    readonly answers: Set<string>
  }[],
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const { delayMicros, requests: of, micros, answers } of shuffled(kinds)) {
      const request = of[round % of.length]
      if (request === undefined) throw new TypeError('every kind has a request')
      const timed = await connection.time(request, delayMicros)
      micros.push(timed.micros)
      if (answers.size < 2) answers.add(comparable(timed.answer))
    }
  }
}

/** An answer without the headers that may differ. */
function comparable(answer: string): string {
  return answer.replaceAll(/\r\n(?:date|connection|keep-alive|retry-after|x-ratelimit-[a-z]+): [^\r]*/gi, '')
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  const rest = [...items]
  return items.map(() => rest.splice(randomInt(rest.length), 1)[0] as T)
}

/** Keeps a process, all its threads included, to one processor, where there are several and `taskset` is installed. */
function keepTo(processor: number, pid: number): void {
  if (availableParallelism() > 1) spawnSync('taskset', ['-a', '-c', '-p', String(processor), String(pid)])
}

function shiftable(real: Clock): Maker['clock'] {
  return {
    behindMicros: 0,
    nowMicros() {
      return real.nowMicros() - this.behindMicros
    },
  }
}
