import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../src/database.ts'
import type { Delivery, Lease, Settlement, Target } from '@sotto/core'
import {
  type SecretDelivery,
  createMemoryStorage,
  createSamples,
  expectOk,
  noonMicros,
  type Samples,
} from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import { test } from 'tap'
import { addKey, open, temporaryDir } from '../support/helpers.ts'

type Storage = Pick<Database, 'keys' | 'accounts' | 'folders' | 'secrets' | 'links' | 'outbox' | 'deliveries'>

const steps = 400

/** Rows that contradict what the schema says about heads, due times and empty targets. */
const contradictions = `
  SELECT 'head', d.id FROM deliveries d WHERE d.is_head <> (d.dead_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM deliveries e WHERE e.target_kind = d.target_kind AND e.target_id = d.target_id AND e.secret_id = d.secret_id AND e.dead_at IS NULL
      AND (e.event_at, e.event_id) < (d.event_at, d.event_id)))
  UNION ALL SELECT 'due', t.id FROM targets t WHERE t.due_at IS NOT (
    SELECT max(min(d.due_at), coalesce(t.leased_until, min(d.due_at))) FROM deliveries d WHERE d.target_kind = t.kind AND d.target_id = t.id AND d.is_head)
  UNION ALL SELECT 'empty', t.id FROM targets t
    WHERE t.leased_until IS NULL AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.target_kind = t.kind AND d.target_id = t.id)`

for (const seed of [1, 2, 3, 4]) {
  test(`a queue in SQLite answers as the one in memory does, step by step (seed ${seed})`, async (t) => {
    const dir = temporaryDir(t)
    const database = await open(dir)
    const db = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
    const find = db.prepare(contradictions).raw()
    const [mine, model] = [await drive(database, seed), await drive(createMemoryStorage(), seed)]
    const seen = new Set<string>()
    for (let at = 0; at < steps; at += 1) {
      const [done, expected] = [await mine.step(), await model.step()]
      seen.add(done.name)
      const contradicting = find.all()
      if (isDeepStrictEqual([done, contradicting], [expected, []])) continue
      t.same(done, expected, `step ${at}: ${done.name}`)
      t.same(contradicting, [], `rows after step ${at}: ${done.name}`)
      break
    }
    t.equal(seen.size, 8, 'every kind of step was taken')
    db.close()
    await database.close()
  })
}

/** Takes arbitrary steps, the same for the same seed, on one account with a mail address and two webhooks. */
async function drive(storage: Storage, seed: number) {
  await addKey(storage, 1)
  const make = createSamples(1)
  const account = make.account()
  expectOk(await storage.accounts.insert(account, [make.nameIndex()]))
  const folder = make.folder(account.id)
  expectOk(await storage.folders.insert(folder))
  const secret = make.secret(folder)
  expectOk(await storage.secrets.insert(secret, make.note()))
  const accountId = account.id
  const webhook = (): Target => ({ kind: 'webhook', accountId, webhookId: make.uuid() })
  const targets: readonly Target[] = [{ kind: 'mail', accountId }, webhook(), webhook()]
  const secretIds = [make.uuid(), make.uuid(), make.uuid()]
  let state = seed * 7_919
  const below = (bound: number) => (state = (state * 48_271) % 2_147_483_647) % bound
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  let nowMicros = noonMicros
  let leases: readonly Lease[] = []
  const page = async () => expectOk(await storage.deliveries.page({}, undefined, 1_000))

  const add = async () => {
    const added = Array.from({ length: 1 + below(4) }, () =>
      newDelivery({ make, pick, below, nowMicros, accountId }),
    )
    const deliveries = added.map((one) => ({
      ...one,
      target: pick(targets),
      event: { ...one.event, secretId: pick(secretIds) },
    }))
    const events = deliveries.map(({ event }) => event)
    expectOk(await storage.links.update(secret.link.lookup, undefined, () => ok({ events })))
    const chosen = deliveries.map((one) => ({ eventId: one.event.id, deliveries: [one] }))
    return expectOk(await storage.outbox.distribute(chosen))
  }
  const lease = async () => {
    const kind = pick(['mail', 'webhook'] as const)
    // As many as there are targets, so that the order in which they are leased makes no difference.
    const ids = [make.uuid(), make.uuid()]
    const times = { nowMicros, untilMicros: nowMicros + 40, latestMicros: nowMicros + 100 + below(100) }
    const options = { ...times, ids, perTarget: 1 + below(3), kind }
    const leased = expectOk(await storage.deliveries.lease(options))
    leases = [...leases, ...leased.toSorted(byKey)].slice(-6)
    return leased.toSorted(byKey).map(({ target, deliveries }) => ({ target, deliveries }))
  }
  /** A lease, which may have ended. */
  const anyLease = () => pick(leases)
  const settle = async () => {
    if (leases.length === 0) return 'none'
    const held = anyLease()
    return expectOk(
      await storage.deliveries.settle(held, pick(held.deliveries).id, settlement(below, nowMicros)),
    )
  }
  const release = async () => {
    // Whether somebody else had it last is forgotten with the row of a target that has no deliveries, so the answer is not compared.
    if (leases.length > 0) expectOk(await storage.deliveries.release(anyLease()))
  }
  const retry = async () => {
    const listed: readonly Delivery[] = await page()
    return listed.length === 0 ? 'none' : expectOk(await storage.deliveries.retry(pick(listed).id, nowMicros))
  }
  const eraseDead = async () => expectOk(await storage.deliveries.eraseDead(nowMicros - 50, 100))
  const eraseTarget = async () => {
    // Seldom, or nothing would ever wait.
    if (below(10) === 0) expectOk(await storage.deliveries.eraseTarget(pick(targets)))
  }
  const pass = async () => (nowMicros += below(60))

  const ways = { add, lease, settle, release, retry, eraseDead, eraseTarget, pass }
  const names = [...(Object.keys(ways) as (keyof typeof ways)[]), 'add', 'lease', 'settle', 'settle'] as const
  return {
    async step() {
      const name = pick(names)
      const answer = await ways[name]()
      const { deliveries } = storage
      const nextDue = [await deliveries.nextDue('mail'), await deliveries.nextDue('webhook')]
      const dead = expectOk(await deliveries.page({ accountId, dead: true }, undefined, 1_000))
      return { name, answer, page: await page(), dead, state: await deliveries.state(), nextDue }
    },
  }
}

function byKey(one: Lease, other: Lease): number {
  return keyOf(one) < keyOf(other) ? -1 : 1
}

function keyOf({ target, deliveries }: Lease): string {
  return JSON.stringify([target, deliveries.map(({ id }) => id)])
}

interface Choices {
  readonly make: Samples
  readonly pick: <T>(list: readonly T[]) => T
  readonly below: (bound: number) => number
  readonly nowMicros: number
  readonly accountId: string
}

function newDelivery({ make, pick, below, nowMicros, accountId }: Choices): SecretDelivery {
  const type = pick(['secret.opened', 'secret.opened', 'secret.locked'] as const)
  const event = make.event(accountId, { type, createdAtMicros: nowMicros - below(100) })
  return make.delivery(event, { joins: below(2) === 0, dueAtMicros: nowMicros + below(30) })
}

function settlement(below: (bound: number) => number, nowMicros: number): Settlement {
  const atMicros = nowMicros + below(40)
  const all: readonly Settlement[] = [
    { outcome: 'done' },
    { outcome: 'pause', untilMicros: atMicros },
    { outcome: 'retry', dueAtMicros: atMicros, failure: 'timeout' },
    { outcome: 'dead', atMicros: nowMicros, failure: 'status 503' },
  ]
  return all[below(all.length)]!
}
