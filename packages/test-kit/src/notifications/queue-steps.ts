import type {
  EventDeliveries,
  LeaseOptions,
  OwnerEvent,
  SecretEvent,
  Settlement,
  Target,
  Uuid,
} from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import fc from 'fast-check'
import { ok, ResultAsync } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { createSamples, noonMicros } from '../shared/samples.ts'
import { kids } from '../stores/harness.ts'
import { step, stepsOf, untilNone } from '../stores/steps.ts'
import {
  aCursor,
  aLimit,
  aTime,
  ada,
  anAccount,
  bob,
  bytes,
  idOf,
  idOfAccount,
  perhaps,
} from '../stores/values.ts'

/** The link whose changes put events into the outbox. */
const lookup = bytes(9, 32)

/** Adds the link. */
export async function addEventSource({ folders, secrets }: FullStorage): Promise<void> {
  const make = createSamples(kids.writable)
  const folder = make.folder(bob, { id: idOf(901) })
  const secret = make.secret(folder, noonMicros, { id: idOf(902) })
  const linked = { ...secret, link: { ...secret.link, lookup } }
  expectOk(await folders.insert(folder), 'adding a folder')
  expectOk(await secrets.insert(linked, make.note()), 'adding a secret')
}

/** The numbers of events. Each is put into the outbox once. */
const aNumber = fc.nat(11)

/** The event with this number: about one of two secrets or of two requests of Ada's, or about a secret of Bob's. */
function eventOf(number: number): OwnerEvent {
  const about = number % 5
  const base = {
    id: idOf(200 + number),
    accountId: about === 4 ? bob : ada,
    folderId: idOf(910),
    createdAtMicros: noonMicros + ([0, 2, 1, 1][number % 4] ?? 0),
    expiresAtMicros: 2 ** 52 + 2 * number + 1,
  }
  const subject = idOf(920 + about)
  return about === 2 || about === 3
    ? {
        ...base,
        type: number % 3 === 0 ? 'request.closed_unanswered' : 'request.answered',
        requestId: subject,
        answers: 1 + (number % 2),
        answersLeft: 1,
      }
    : {
        ...base,
        type: number % 3 === 0 ? 'secret.locked' : 'secret.opened',
        secretId: subject,
        opens: 1 + (number % 2),
        opensLeft: number % 2 === 0 ? undefined : number,
      }
}

/** Where messages of an account go: to its address, or to one of two webhooks. */
const places: readonly ((accountId: Uuid) => Target)[] = [
  (accountId) => ({ kind: 'mail', accountId }),
  (accountId) => ({ kind: 'webhook', accountId, webhookId: idOfAccount(accountId, 0) }),
  (accountId) => ({ kind: 'webhook', accountId, webhookId: idOfAccount(accountId, 1) }),
]

const aPlace = fc.constantFrom(0, 0, 1, 1, 2).map((place) => place % places.length)

function targetOf(place: number, accountId: Uuid): Target {
  return places[place]?.(accountId) ?? { kind: 'mail', accountId }
}

/** The id of the delivery of an event to a place. */
function deliveryId(number: number, place: number): Uuid {
  return idOf(300 + 4 * number + place)
}

/** Seconds after noon. Those of two targets are never the same, because either may be leased first then. */
const aMoment = fc.nat(3)

const second = 1_000_000

function dueAt(moment: number, { accountId, ...target }: Target): number {
  const place = 'webhookId' in target ? 1 + [1, 2, 3, 4].map(idOf).indexOf(target.webhookId) : 0
  return noonMicros + second * (10 * moment + place + (accountId === ada ? 0 : 5))
}

/** What becomes of an event: a delivery to each of some places. */
const told = fc
  .record({
    number: aNumber,
    to: fc.uniqueArray(
      fc.record({ place: aPlace, moment: aMoment, joins: fc.nat(3).map((none) => none > 0) }),
      { selector: ({ place }) => place, maxLength: 3 },
    ),
  })
  .map(({ number, to }) => {
    const event = eventOf(number)
    const deliveries = to.map(({ place, moment, joins }) => {
      const target = targetOf(place, event.accountId)
      return { id: deliveryId(number, place), target, event, dueAtMicros: dueAt(moment, target), joins }
    })
    return { event, deliveries }
  })

const distribution: fc.Arbitrary<readonly EventDeliveries[]> = fc.uniqueArray(
  told.map(({ event, deliveries }) => ({ eventId: event.id, deliveries })),
  { selector: ({ eventId }) => eventId, minLength: 1, maxLength: 4 },
)

/** A change of the link that puts an event into the outbox. Those of requests are stored in the same way. */
function putEvent(
  { links }: FullStorage,
  event: OwnerEvent,
): ResultAsync<unknown, { readonly code: string }> {
  return links.update(lookup, undefined, () => ok({ events: [event as SecretEvent] }))
}

export const eventStep = step(
  'links',
  'links.update puts into the outbox',
  aNumber.map(eventOf),
  putEvent,
  ({ id }) => id,
)

/** An event whose deliveries are added at once, so that the next one about its secret may join them. */
export const tellStep = step(
  'outbox',
  'links.update and outbox.distribute',
  told,
  (storage, { event, deliveries }) =>
    putEvent(storage, event).andThen(() => storage.outbox.distribute([{ eventId: event.id, deliveries }])),
  ({ event }) => event.id,
)

/** What is tried on the outbox, besides the change that fills it. */
export const outboxSteps = stepsOf('outbox', {
  distribute: [distribution],
  page: [aCursor, aLimit],
  eraseOld: untilNone(aTime, aLimit),
})

const kinds: readonly Target['kind'][] = ['mail', 'webhook']
const kind = fc.constantFrom(...kinds)
const aLeaseId = fc.constantFrom(idOf(500), idOf(500), idOf(501))
const aNow = fc.nat(39).map((seconds) => noonMicros + seconds * second)

/** A lease of one target, for 5 or 15 seconds and a part of one: no two leases end at the same time. */
const lease: fc.Arbitrary<LeaseOptions> = fc
  .record({
    nowMicros: aNow,
    forMicros: fc.record({
      seconds: fc.constantFrom(5, 15),
      micros: fc.integer({ min: 1, max: second - 1 }),
    }),
    ids: fc.tuple(aLeaseId),
    perTarget: fc.constantFrom(10, 1, 2),
    kind,
  })
  .map(({ forMicros: { seconds, micros }, ...options }) => ({
    ...options,
    untilMicros: options.nowMicros + seconds * second + micros,
    latestMicros: noonMicros + 100_000 * second,
  }))

/** A delivery of an event to a place, and a time for it. */
const aDelivery = fc
  .record({ number: aNumber, place: aPlace, moment: aMoment })
  .map(({ number, place, moment }) => {
    const target = targetOf(place, eventOf(number).accountId)
    return { id: deliveryId(number, place), target, moment }
  })

const anOutcome = fc.constantFrom(...(['done', 'pause', 'pause', 'retry', 'dead', 'dead'] as const))

function settlementOf(outcome: Settlement['outcome'], moment: number, target: Target): Settlement {
  const at = dueAt(moment, target)
  const settlements = {
    done: { outcome: 'done' },
    pause: { outcome: 'pause', untilMicros: at },
    retry: { outcome: 'retry', dueAtMicros: at, failure: `refused until ${moment}` },
    dead: { outcome: 'dead', atMicros: at, failure: 'gone' },
  } as const
  return settlements[outcome]
}

/** What a sender does: it leases a target, settles what is due, and releases it, or not. */
export const workStep = step(
  'deliveries',
  'deliveries.lease, settle and release',
  fc.record({ lease, outcome: anOutcome, moment: aMoment, releases: fc.boolean() }),
  ({ deliveries }, { lease, outcome, moment, releases }) =>
    deliveries.lease(lease).andThen((leases) => {
      const settled = leases.flatMap((each) =>
        each.deliveries.map(({ id }) =>
          deliveries.settle(each, id, settlementOf(outcome, moment, each.target)),
        ),
      )
      const released = releases ? leases.map((each) => deliveries.release(each)) : []
      return ResultAsync.combine([...settled, ...released]).map((answers) => ({ leases, answers }))
    }),
)

const aTarget = fc
  .record({ place: aPlace, account: fc.constantFrom(ada, ada, bob) })
  .map(({ place, account }) => targetOf(place, account))

/** What is tried on the queue of deliveries. */
export const deliverySteps = stepsOf('deliveries', {
  lease: [lease],
  settle: fc
    .record({ delivery: aDelivery, leaseId: aLeaseId, outcome: anOutcome })
    .map(({ delivery: { id, target, moment }, leaseId, outcome }) => {
      return [{ id: leaseId, target }, id, settlementOf(outcome, moment, target)] as const
    }),
  release: [fc.record({ id: aLeaseId, target: aTarget })],
  nextDue: [kind],
  page: [fc.record({ accountId: perhaps(anAccount), dead: perhaps(fc.boolean()) }), aCursor, aLimit],
  retry: aDelivery.map(({ id, target, moment }) => [id, dueAt(moment, target)] as const),
  eraseTarget: [aTarget],
  eraseDead: untilNone(fc.oneof(aNow, fc.constant(noonMicros + 40 * second)), fc.constantFrom(1, 2)),
  state: [],
})
