import { setTimeout as pause } from 'node:timers/promises'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { bundle, type Bundle } from '../support/bundle.ts'
import { createChance, type Chance } from '../support/chance.ts'
import { startChild, type Child } from '../support/child.ts'
import { makePlace, openPlace, type Place } from '../support/place.ts'
import { createClient } from '../support/client.ts'
import { compare, type OpenedSecret } from './compare.ts'
import { startReceivers, type Receivers } from './receivers.ts'

export interface NotifyOptions {
  /** How often a server is killed. */
  readonly cycles: number
  readonly seed: number
  /** Uses a server that queues a message after it has counted the open, which the campaign must notice. */
  readonly queueAfterwards?: boolean
  /** Called from time to time. */
  readonly onProgress?: (figures: NotifyFigures) => void
}

export interface NotifyFigures {
  kills: number
  secrets: number
  /** Notes that recipients received. */
  delivered: number
  /** Opens that the store has counted: more, because a crash may cost an open. */
  counted: number
  /** Posts that the webhook's receiver has seen, whatever it answered. */
  posts: number
  /** Posts that came again under the same id: the receiver had not taken the one before, or the sender did not learn it. */
  repeatedPosts: number
  mails: number
  repeatedMails: number
}

export interface NotifyOutcome {
  readonly figures: NotifyFigures
  readonly violations: readonly string[]
}

const programSources = { server: new URL('./server-process.ts', import.meta.url) }
type Programs = Bundle<keyof typeof programSources>['programs']

/** How many recipients open links at the same time, each after a pause of up to so many milliseconds. */
const recipients = 6
const pauseMaxMillis = 300
/** Each owner has an email address and a webhook. The lease of a server that was killed keeps a target waiting for half a minute. */
const owners = 32
/** When nothing is opened any more, servers take over whose clock is ahead so far: the leases of all that were killed have ended. */
const aheadMicros = 31 * 1_000_000
/** How long the last servers live after the last open: what one that is broken on purpose queues afterwards is queued by then. */
const lastMillis = 1_000
/** How long the queue may take to drain at the end, when both receivers take everything; and how often waiting messages are made due. */
const drainMillis = 180_000
const retryEveryMillis = 10_000

/**
 * Two servers on one installation, one of which is killed with SIGKILL again and again while recipients open links whose owner wants to
 * know. A webhook's receiver and a mail server fail now and then. At the end, when everything has drained, compares what they have seen
 * with the opens that were counted.
 */
export async function runNotifyCampaign(options: NotifyOptions): Promise<NotifyOutcome> {
  const chance = createChance(options.seed)
  const receivers = await startReceivers(chance)
  const settings = {
    SOTTO_WEBHOOK_ALLOW: '127.0.0.0/8',
    SOTTO_SMTP_URL: receivers.smtpUrl,
    SOTTO_MAIL_FROM: 'sotto@example.org',
  }
  const place = makePlace(undefined, settings)
  const installation = await openPlace(place)
  const { programs, remove } = await bundle(programSources)
  const run = new Run({ options, chance, receivers, place, settings, installation, programs })
  try {
    return await run.through()
  } finally {
    await run.end()
    await installation.close()
    await receivers.close()
    place.remove()
    remove()
  }
}

interface RunParts {
  readonly options: NotifyOptions
  readonly chance: Chance
  readonly receivers: Receivers
  readonly place: Place
  readonly settings: Readonly<Record<string, string>>
  readonly installation: Installation
  readonly programs: Programs
}

/** A server process and the address at which it answers. */
interface Server {
  readonly child: Child
  readonly origin: string
}

class Run {
  readonly #parts: RunParts
  readonly #servers: Server[] = []
  readonly #secrets: OpenedSecret[] = []
  readonly #figures: NotifyFigures = {
    kills: 0,
    secrets: 0,
    delivered: 0,
    counted: 0,
    posts: 0,
    repeatedPosts: 0,
    mails: 0,
    repeatedMails: 0,
  }
  #isOver = false

  constructor(parts: RunParts) {
    this.#parts = parts
  }

  async through(): Promise<NotifyOutcome> {
    const { options, chance, receivers, installation } = this.#parts
    const makeSecret = await this.#prepare()
    for (let at = 0; at < 2; at += 1) this.#servers.push(await this.#serve())
    const opening = Array.from({ length: recipients }, () => this.#openLinks(makeSecret))
    while (this.#figures.kills < options.cycles) {
      await pause(chance.between(20, 400))
      const at = chance.between(0, 1)
      await this.#servers[at]?.child.kill()
      this.#figures.kills += 1
      this.#servers[at] = await this.#serve()
      if (this.#figures.kills % 25 === 0) options.onProgress?.({ ...this.#figures })
    }
    this.#isOver = true
    await Promise.all(opening)
    receivers.beReliable()
    await this.#takeOver()
    const violations = await this.#drain()
    const found = await compare({ secrets: this.#secrets, seen: receivers.seen, installation })
    Object.assign(this.#figures, found.figures, { secrets: this.#secrets.length })
    return { figures: this.#figures, violations: [...violations, ...found.violations] }
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#servers.map(({ child }) => child.kill()))
  }

  /** Makes the owners. Resolves with a function that makes a secret of one of them, who wants to know of its opens. */
  async #prepare(): Promise<() => Promise<OpenedSecret>> {
    const { installation, receivers, chance } = this.#parts
    const { sotto, ports } = installation
    const folders: { readonly accountId: string; readonly folderId: string }[] = []
    for (let nr = 0; nr < owners; nr += 1) {
      const { id: accountId } = expectOk(await sotto.createAccount({ email: `owner${nr}@example.org` }))
      const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Folder' }))
      expectOk(await sotto.createWebhook({ accountId, url: `${receivers.webhookUrl}/${nr}` }))
      // The first one has the secrets without limit. Mails about these wait for up to ten minutes, longer than the campaign. The use-case
      // would tell the owner by mail that mails are off.
      if (nr === 0) expectOk(await ports.accounts.setMails(accountId, { enabled: false, nameLabels: false }))
      folders.push({ accountId, folderId })
    }
    return async () => {
      const openLimit = chance.happens(90) ? chance.between(1, 5) : undefined
      const folder = folders[openLimit === undefined ? 0 : chance.between(1, owners - 1)]
      if (folder === undefined) throw new TypeError('there is no such owner')
      const input = { ...folder, label: 'Secret', note: 'a note', notify: true, openLimit }
      let created = await sotto.createSecret(input)
      // The servers may hold the lock of the database for long.
      while (created.isErr() && created.error.code === 'storage_unavailable')
        created = await sotto.createSecret(input)
      const { id, link } = expectOk(created)
      const secret = { id, token: link.token, openLimit, delivered: 0 }
      this.#secrets.push(secret)
      return secret
    }
  }

  /** Replaces the servers by others, half a minute later. */
  async #takeOver(): Promise<void> {
    await pause(lastMillis)
    await Promise.all(this.#servers.map(({ child }) => child.kill()))
    for (let at = 0; at < 2; at += 1) this.#servers[at] = await this.#serve(aheadMicros)
  }

  /** @param clockAheadMicros how far its clock is ahead of the machine's */
  async #serve(clockAheadMicros = 0): Promise<Server> {
    const { place, settings, programs, options } = this.#parts
    const flaw = options.queueAfterwards === true ? ['queue-afterwards'] : []
    const child = startChild({
      program: programs.server,
      args: [place.directory, JSON.stringify(settings), String(clockAheadMicros), ...flaw],
      env: place.env,
    })
    const { listening } = JSON.parse(await child.line()) as { readonly listening: string }
    return { child, origin: listening }
  }

  /** One recipient after the other, at either server, until the campaign is over. */
  async #openLinks(makeSecret: () => Promise<OpenedSecret>): Promise<void> {
    const { chance } = this.#parts
    while (!this.#isOver) {
      const secret = await makeSecret()
      const times = secret.openLimit ?? chance.between(1, 8)
      await Promise.all(Array.from({ length: times }, () => this.#open(secret)))
      await pause(chance.between(0, pauseMaxMillis))
    }
  }

  async #open(secret: OpenedSecret): Promise<void> {
    const { chance } = this.#parts
    const client = createClient([chance.pick(this.#servers)?.origin ?? ''])
    const answer = await client.ask('POST', `/${secret.token}`, {})
    client.close()
    if (answer?.status !== 200) return
    secret.delivered += 1
    this.#figures.delivered += 1
  }

  /** Has everything sent that waits. */
  async #drain(): Promise<readonly string[]> {
    const { sotto } = this.#parts.installation
    const until = performance.now() + drainMillis
    let retriedAt = -Infinity
    while (performance.now() < until) {
      const { events, waiting, dead } = expectOk(await sotto.getQueueState())
      if (events + waiting + dead === 0) return []
      if (performance.now() - retriedAt > retryEveryMillis) {
        await this.#retryAll()
        retriedAt = performance.now()
      }
      await pause(250)
    }
    return [`the queue has not drained: ${JSON.stringify(expectOk(await sotto.getQueueState()))}`]
  }

  async #retryAll(): Promise<void> {
    const { sotto } = this.#parts.installation
    for await (const page of sotto.listDeliveries({})) {
      for (const { id } of expectOk(page).items) {
        const retried = await sotto.retryDelivery({ id })
        // The delivery may be done by now, or the servers hold the lock of the database for long: then it is retried the next time.
        const code = retried.isErr() ? retried.error.code : undefined
        if (code !== 'delivery_not_found' && code !== 'storage_unavailable') expectOk(retried)
      }
    }
  }
}
