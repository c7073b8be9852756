import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { createClient, type Client } from '../support/client.ts'
import { bundle } from '../support/bundle.ts'
import { createChance } from '../support/chance.ts'
import { startChild, type Child } from '../support/child.ts'
import { makePlace, openPlace } from '../support/place.ts'
import { keyOf, misdeeds, startMisbehaving, type Misbehaving } from './misbehaving.ts'

export interface ReceiversOptions {
  /** How long links are opened while receivers behave, and again while they do not. */
  readonly seconds: number
  readonly seed: number
  /** Lets the receivers misbehave to the end, which the campaign must notice. */
  readonly neverBehave?: boolean
}

export interface ReceiversOutcome {
  readonly figures: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

/** A process that has just started is slower. */
const warmUpSeconds = 3
/** Opens in a second; each is reported by mail and to one or five webhooks. */
const opensPerSecond = 20
const goodOwners = 4
const badOwners = 12
/** Webhooks that an account may have. */
const webhooksOfOwner = 5
/** How long a message to a good receiver may take, in milliseconds: as long as the longest time between two looks at the queue. */
const goodDelayMaxMillis = 5_000
/** Sockets of the server: the messages that it sends at the same time, beside its clients and files. */
const descriptorsMax = 512 + 4 + 32 + 64
const drainMillis = 90_000

interface Owner {
  readonly accountId: string
  readonly folderId: string
  readonly urls: readonly string[]
  readonly isGood: boolean
  readonly email: string
}

interface Opened {
  readonly owner: Owner
  readonly secretId: string
  readonly token: string
  readonly isCounted: boolean
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly millis: number
}

/** Opens links while all receivers behave, then while most of them do not, then waits until everything is sent. */
export async function runReceiversCampaign(options: ReceiversOptions): Promise<ReceiversOutcome> {
  const chance = createChance(options.seed)
  const receivers = await startMisbehaving(chance)
  const settings = {
    SOTTO_WEBHOOK_ALLOW: '127.0.0.0/8',
    SOTTO_SMTP_URL: receivers.smtpUrl,
    SOTTO_MAIL_FROM: 'sotto@example.org',
    SOTTO_LOG_LEVEL: 'info',
  }
  const place = makePlace(undefined, settings)
  const installation = await openPlace(place)
  const { programs, remove } = await bundle({
    server: new URL('../notify/server-process.ts', import.meta.url),
  })
  const child = startChild({
    program: programs.server,
    args: [place.directory, JSON.stringify(settings)],
    env: place.env,
  })
  const { listening } = JSON.parse(await child.line()) as { readonly listening: string }
  const client = createClient([listening])
  try {
    const scene = {
      options,
      receivers,
      installation,
      child,
      client,
      owners: await makeOwners(installation, receivers),
    }
    return await play(scene)
  } finally {
    client.close()
    await child.kill()
    await installation.close()
    receivers.close()
    place.remove()
    remove()
  }
}

interface Scene {
  readonly options: ReceiversOptions
  readonly receivers: Misbehaving
  readonly installation: Installation
  readonly child: Child
  readonly client: Client
  readonly owners: readonly Owner[]
}

async function makeOwners({ sotto }: Installation, receivers: Misbehaving): Promise<readonly Owner[]> {
  const owners: Owner[] = []
  for (let nr = 0; nr < goodOwners + badOwners; nr += 1) {
    const isGood = nr < goodOwners
    const email = nr === goodOwners ? receivers.refusedMailbox : `canary-owner${nr}@example.org`
    const { id: accountId } = expectOk(await sotto.createAccount({ email }))
    const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'canary-folder' }))
    const bad = Array.from(
      { length: webhooksOfOwner },
      (_, at) => misdeeds[(nr * webhooksOfOwner + at) % misdeeds.length] ?? 'hangs',
    )
    const urls = isGood ? [receivers.goodUrl(nr)] : bad.map((misdeed) => receivers.badUrl(misdeed, nr))
    for (const url of urls) expectOk(await sotto.createWebhook({ accountId, url }))
    owners.push({ accountId, folderId, urls, isGood, email })
  }
  return owners
}

async function play(scene: Scene): Promise<ReceiversOutcome> {
  const { options, receivers, installation, child } = scene
  const first = await openFor({ ...scene, options: { ...options, seconds: warmUpSeconds } })
  const calm = await openFor(scene)
  await drained(installation, 10_000)
  receivers.behave('bad')
  const wild = await openFor(scene)
  if (options.neverBehave !== true) receivers.behave('good')
  const all = [...first.opened, ...calm.opened, ...wild.opened].filter(({ isCounted }) => isCounted)
  const missing = await allSent(scene, all, options.neverBehave === true ? 5_000 : drainMillis)
  const [calmDelays, wildDelays] = [calm, wild].map(({ opened }) => delaysOf(opened, receivers))
  const millisOf = (opened: readonly Opened[]) => opened.map(({ millis }) => millis)
  const figures = {
    opens: all.length,
    posts: receivers.posts(),
    openP99Calm: p99(millisOf(calm.opened)),
    openP99Misbehaving: p99(millisOf(wild.opened)),
    goodDelayP99Calm: p99(calmDelays),
    goodDelayP99Misbehaving: p99(wildDelays),
    descriptorsCalm: calm.descriptors,
    descriptorsMisbehaving: wild.descriptors,
    queueLongest: wild.queue,
  }
  return {
    figures,
    violations: [...missing, ...faultsOf(figures, scene, all), ...leaksIn(child.stderr(), all)],
  }
}

/** The 99th percentile, to a tenth. */
function p99(values: readonly number[] = []): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(10 * (sorted[Math.floor(0.99 * (sorted.length - 1))] ?? NaN)) / 10
}

interface Phase {
  readonly opened: readonly Opened[]
  /** The most that the server had open at the same time. */
  readonly descriptors: number
  /** The most messages that waited. */
  readonly queue: number
}

/** Opens links at an even pace, whether the answers come or not. */
async function openFor({ options, installation, client, child, owners }: Scene): Promise<Phase> {
  const { sotto } = installation
  const secrets: { readonly owner: Owner; readonly id: string; readonly token: string }[] = []
  for (let nr = 0; nr < options.seconds * opensPerSecond; nr += 1) {
    const owner = owners[nr % owners.length]
    if (owner === undefined) throw new TypeError('there is no owner')
    const { accountId, folderId } = owner
    const input = {
      accountId,
      folderId,
      label: 'canary-label',
      note: 'canary-note',
      notify: true,
      openLimit: 1,
    }
    const { id, link } = expectOk(await sotto.createSecret(input))
    secrets.push({ owner, id, token: link.token })
  }
  let descriptors = 0
  let queue = 0
  const opening: Promise<Opened>[] = []
  for (const [nr, { owner, id, token }] of secrets.entries()) {
    opening.push(open(client, { owner, secretId: id, token }))
    await pause(1_000 / opensPerSecond)
    if (nr % opensPerSecond !== 0) continue
    descriptors = Math.max(descriptors, readdirSync(`/proc/${child.process.pid}/fd`).length)
    queue = Math.max(queue, expectOk(await sotto.getQueueState()).waiting)
  }
  return { opened: await Promise.all(opening), descriptors, queue }
}

async function open(client: Client, secret: Pick<Opened, 'owner' | 'secretId' | 'token'>): Promise<Opened> {
  const start = performance.now()
  const answer = await client.ask('POST', `/${secret.token}`)
  return { ...secret, isCounted: answer?.status === 200, at: Date.now(), millis: performance.now() - start }
}

async function drained({ sotto }: Installation, withinMillis: number): Promise<boolean> {
  const until = performance.now() + withinMillis
  while (performance.now() < until) {
    const { events, waiting } = expectOk(await sotto.getQueueState())
    if (events + waiting === 0) return true
    await pause(100)
  }
  return false
}

/** Has everything sent, and compares it with what was opened. */
async function allSent({ installation, receivers }: Scene, all: readonly Opened[], withinMillis: number) {
  const { sotto } = installation
  const until = performance.now() + withinMillis
  const expected = all.flatMap(({ owner, secretId }) =>
    owner.urls
      .filter((url) => !url.includes('is%20gone') && !url.includes('TLS'))
      .map((url) => keyOf(url, secretId)),
  )
  const mailed = all.filter(({ owner }) => owner.email !== receivers.refusedMailbox)
  for (;;) {
    const posts = expected.filter((key) => !receivers.taken.has(key))
    const ids = mailed.filter(
      ({ secretId }) => ![...(receivers.ids.get(secretId) ?? [])].some((id) => receivers.mails.has(id)),
    )
    if (posts.length + ids.length === 0) return []
    if (performance.now() > until)
      return [`${posts.length} posts and ${ids.length} mails were never taken: ${await leftIn(installation)}`]
    for await (const page of sotto.listDeliveries({}))
      for (const { id } of expectOk(page).items) {
        const retried = await sotto.retryDelivery({ id })
        if (retried.isErr() && retried.error.code !== 'delivery_not_found') expectOk(retried)
      }
    await pause(2_000)
  }
}

/** How many messages are left, by why they were not delivered. */
async function leftIn({ sotto }: Installation): Promise<string> {
  const counts = new Map<string, number>()
  for await (const page of sotto.listDeliveries({}))
    for (const { target, lastFailure = 'not tried' } of expectOk(page).items) {
      const key = `${target.kind}, ${lastFailure}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return JSON.stringify(Object.fromEntries(counts))
}

/** The delays from an open until a good receiver had the message. */
function delaysOf(opened: readonly Opened[], receivers: Misbehaving): readonly number[] {
  return opened
    .filter(({ owner, isCounted }) => owner.isGood && isCounted)
    .flatMap(({ owner, secretId, at }) =>
      owner.urls.map((url) => (receivers.taken.get(keyOf(url, secretId)) ?? Infinity) - at),
    )
}

function faultsOf(
  figures: Readonly<Record<string, number>>,
  { receivers }: Scene,
  all: readonly Opened[],
): readonly string[] {
  const of = (name: string): number => figures[name] ?? NaN
  const severalIds = [...receivers.ids.values()].filter(({ size }) => size > 1).length
  const faults: readonly (readonly [boolean, string])[] = [
    [all.length === 0, 'nothing was opened'],
    [of('openP99Misbehaving') > 3 * of('openP99Calm') + 50, 'opens were slowed'],
    [of('goodDelayP99Misbehaving') > goodDelayMaxMillis, 'a good receiver had to wait'],
    [of('descriptorsMisbehaving') > descriptorsMax, 'too many files and sockets were open'],
    [of('queueLongest') > all.length * (webhooksOfOwner + 1), 'more waits than was opened'],
    [severalIds > 0, `${severalIds} opens were reported under several ids`],
    [receivers.followed() > 0, 'a redirect was followed'],
  ]
  return faults.flatMap(([isThere, sentence]) => (isThere ? [sentence] : []))
}

function leaksIn(log: string, all: readonly Opened[]): readonly string[] {
  const found = ['canary-', 'whsec_', ...all.map(({ token }) => token)].filter((text) => log.includes(text))
  return found.map((text) => `the log has ${text}`)
}
