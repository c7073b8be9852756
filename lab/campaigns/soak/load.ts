import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '../support/client.ts'
import type { Sample } from './judge.ts'
import type { Seeded } from './seed.ts'

export interface Load {
  /** Requests a second while many connections send one after the other. */
  rateAtMost(seconds: number): Promise<number>
  /** Sends requests at a steady rate, whether or not the earlier ones are answered. Resolves when the last one is. */
  run(pace: { readonly perSecond: number; readonly isOver: () => boolean }): Promise<void>
  /** The times of the answers to all requests but lists and passwords. */
  timesSinceLastCall(): Pick<Sample, 'p50Millis' | 'p99Millis'>
  figures(): Readonly<Record<string, number>>
  failures(): readonly string[]
}

/** What one request is, how often it is sent among all of them, and which answers are right. */
interface Kind {
  readonly name: string
  readonly weight: number
  readonly expected: readonly number[]
  /** Whether its time counts among those of short requests. */
  readonly isShort: boolean
  send(): Promise<Answer> | undefined
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** Links that were created and not opened yet; ids that can be fetched. */
const rememberedMax = 5_000
const ticksPerSecond = 50
const failuresMax = 20
/** A prime, so that the kinds alternate. */
const stride = 389

export function createLoad(origin: URL, seeded: Seeded): Load {
  const client = createClient([origin.origin], 64)
  const kinds = kindsOf(sendBy(client), seeded)
  const weights = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind))
  const counts: Record<string, number> = {}
  const failed: string[] = []
  let millis: number[] = []
  let next = 0

  const sendOne = async (): Promise<void> => {
    const began = performance.now()
    // One of each kind first, however few there will be.
    const kind = kinds[next] ?? weights[(next * stride) % weights.length]
    next += 1
    const answer = await kind?.send()
    if (kind === undefined || answer === undefined) return
    counts[kind.name] = (counts[kind.name] ?? 0) + 1
    if (kind.isShort) millis.push(performance.now() - began)
    if (!kind.expected.includes(answer.status) && failed.length < failuresMax)
      failed.push(`${kind.name} was answered with ${answer.status}: ${answer.body.slice(0, 200)}`)
  }

  return {
    async rateAtMost(seconds) {
      const end = performance.now() + seconds * 1000
      const sendOn = async (): Promise<void> => {
        while (performance.now() < end) await sendOne()
      }
      await Promise.all(Array.from({ length: 64 }, sendOn))
      millis = []
      return Object.values(counts).reduce((sum, count) => sum + count, 0) / seconds
    },
    async run({ perSecond, isOver }) {
      const underWay = new Set<Promise<void>>()
      const start = performance.now()
      for (let sent = 0; !isOver();) {
        const due = ((performance.now() - start) / 1000) * perSecond
        for (; sent < due; sent += 1) {
          const one: Promise<void> = sendOne().finally(() => underWay.delete(one))
          underWay.add(one)
        }
        await pause(1000 / ticksPerSecond)
      }
      await Promise.all(underWay)
      client.close()
    },
    timesSinceLastCall() {
      const sorted = millis.sort((one, other) => one - other)
      millis = []
      const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
      return { p50Millis: at(0.5), p99Millis: at(0.99) }
    },
    figures: () => counts,
    failures: () => failed,
  }
}

/** Two chunks and a part of one, as text. */
const file = Buffer.from(randomBytes(75_000).toString('hex'))

function pathOf(created: string): string {
  const { data } = JSON.parse(created) as { data: { link: { url: string } } }
  return new URL(data.link.url).pathname
}

type Send = (method: string, path: string, token?: string, body?: object, form?: Buffer) => Promise<Answer>

function sendBy(client: Client): Send {
  return async (method, path, bearer, body, file) => {
    const given = { body, form: file && { file }, ...(bearer !== undefined && { bearer }) }
    const answer = await client.ask(method, path, given)
    return { status: answer?.complete === true ? answer.status : 0, body: answer?.text ?? 'no answer' }
  }
}

function kindsOf(send: Send, { creators, lister, lockedLinks }: Seeded): readonly Kind[] {
  const links: string[] = []
  const secrets: { readonly id: string; readonly token: string }[] = []
  let turn = 0
  const oneOf = <T>(all: readonly T[]): T => {
    const one = all[(turn += 1) % all.length]
    if (one === undefined) throw new TypeError('there is nothing to choose from')
    return one
  }
  const create = async (): Promise<Answer> => {
    const { folderId, token } = oneOf(creators)
    const body = { label: 'Database', note: 'user: app', folder_id: folderId, open_limit: 1, notify: false }
    const answer = await send('POST', '/api/secret', token, body)
    if (answer.status === 201 && links.length < rememberedMax) {
      const { data } = JSON.parse(answer.body) as { data: { id: string } }
      links.push(pathOf(answer.body))
      if (secrets.push({ id: data.id, token }) > rememberedMax) secrets.shift()
    }
    return answer
  }
  const get = () => {
    const secret = secrets[(turn += 1) % Math.max(1, secrets.length)]
    return secret && send('GET', `/api/secret/${secret.id}`, secret.token)
  }
  const open = () => {
    const path = links.shift()
    return path === undefined ? undefined : send('POST', path)
  }
  const guess = () => send('POST', `/${oneOf(lockedLinks)}`, undefined, { password: 'wrong' })
  const short = { isShort: true } as const
  /** Shares a file, opens its link and downloads it. */
  const shareFile = async (): Promise<Answer> => {
    const { folderId, token } = oneOf(creators)
    const body = { label: 'Contract', note: 'a file', folder_id: folderId, open_limit: 1, notify: false }
    const created = await send('POST', '/api/secret', token, body, file)
    const opened = created.status === 201 ? await send('POST', pathOf(created.body)) : created
    if (opened.status !== 200) return opened
    const { data } = JSON.parse(opened.body) as { data: { files: readonly [{ url: string }] } }
    const fetched = await send('GET', new URL(data.files[0].url).pathname)
    return fetched.body === file.toString() ? fetched : { ...fetched, status: 0 }
  }
  return [
    { name: 'sharedFile', weight: 10, expected: [200], isShort: false, send: shareFile },
    { ...short, name: 'created', weight: 400, expected: [201], send: create },
    { ...short, name: 'opened', weight: 300, expected: [200], send: open },
    { ...short, name: 'fetched', weight: 290, expected: [200], send: get },
    {
      name: 'guessed',
      weight: 2,
      expected: [401, 404, 429, 503],
      isShort: false,
      send: guess,
    },
    {
      name: 'listed',
      weight: 6,
      expected: [200, 503],
      isShort: false,
      send: () => send('GET', '/api/secrets', lister.token),
    },
  ]
}
