import type {
  Answerer,
  AnswerChange,
  Ciphertext,
  Cursor,
  FoundRequest,
  NewDraft,
  RequestEvent,
  RequestFilter,
  StoredRequest,
  StoredSecret,
  StoredSecretFile,
} from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import fc from 'fast-check'
import { err, ok, type Result } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { createSamples, noonMicros } from '../shared/samples.ts'
import { kids } from '../stores/harness.ts'
import { decides, decidesBy, stepsOf, untilNone } from '../stores/steps.ts'
import {
  aBucket,
  aCiphertext,
  aLimit,
  aText,
  aTime,
  ada,
  anAccount,
  anExpiry,
  bob,
  bytes,
  idOf,
  idOfAccount,
  nobody,
  perhaps,
} from '../stores/values.ts'

/** A folder with requests and drafts, and its account. */
type Place = Pick<StoredRequest, 'accountId' | 'folderId'>

const places: readonly Place[] = [
  { accountId: ada, folderId: idOfAccount(ada, 0) },
  { accountId: ada, folderId: idOfAccount(ada, 1) },
  { accountId: bob, folderId: idOfAccount(bob, 0) },
]

const aNumber = fc.constantFrom(0, 0, 0, 1, 1, 2)

export const aPlace: fc.Arbitrary<Place> = aNumber.map(placeAt)

function placeAt(at: number): Place {
  return places[at] ?? { accountId: nobody, folderId: nobody }
}

/** What is the same of a request, or of a draft, in all histories. */
interface Row extends Place, Cursor {
  readonly number: number
}

/** One of three requests, or of three drafts, of a folder: so an answer is a draft of its request's folder. */
function rowOf(at: number, nth: number): Row {
  const number = 1 + 3 * at + nth
  const createdAtMicros = number === 3 ? 2 ** 52 + 1 : noonMicros + (number % 2)
  return { ...placeAt(at), number, id: idOf(number), createdAtMicros }
}

const firstClosing = noonMicros + 3

/** Adds the folders, each with two requests. */
export async function addRequests({ folders, requests }: FullStorage): Promise<void> {
  const make = createSamples(kids.writable)
  for (const [at, { accountId, folderId }] of places.entries()) {
    const folder = make.folder(accountId, { id: folderId })
    expectOk(await folders.insert(folder), 'adding a folder')
    for (const nth of [0, 1]) {
      const { number, ...row } = rowOf(at, nth)
      const closing = nth === 0 ? { closesAtMicros: firstClosing } : {}
      const request = { ...make.request(folder), ...row, ...closing, answersAllowed: 1 + nth, notify: true }
      expectOk(await requests.insert(request, digestOf({ number })), 'adding a request')
    }
  }
}

/** A request, or a draft. */
export const aRow: fc.Arbitrary<Row> = fc
  .record({ at: aNumber, nth: aNumber })
  .map(({ at, nth }) => rowOf(at, nth))

/** The account and the id of a request, or of a draft; once in a while those of two. */
export const owned = fc
  .record({ row: aRow, accountId: fc.option(anAccount, { freq: 4, nil: undefined }) })
  .map(({ row, accountId = row.accountId }) => ({ accountId, id: row.id }))

/** The digest of a link's token, or the lookup of a link: mostly of one request or draft only. */
export function digestOf({ number }: Pick<Row, 'number'>): Uint8Array {
  return bytes(number, 32)
}

const inserted = fc
  .record({
    at: aNumber,
    nth: aNumber,
    digestNth: fc.option(aNumber, { freq: 4, nil: undefined }),
    isStrangers: fc.nat(9).map((chance) => chance === 9),
    columns: fc.record({
      closesAtMicros: fc.oneof(anExpiry, aTime),
      answersAllowed: fc.constantFrom(1, 1, 2, 3),
      notify: fc.boolean(),
      takesFiles: fc.boolean(),
      content: aText,
    }),
  })
  .map(({ at, nth, digestNth = nth, isStrangers, columns }): readonly [StoredRequest, Uint8Array] => {
    const { number: _, ...row } = rowOf(at, nth)
    const request = { ...row, ...(isStrangers && { accountId: nobody }), ...columns }
    return [request, digestOf(rowOf(at, digestNth))]
  })

const forms = ['1', '2', '3'].map((digit) => digit.repeat(32))

const answerer: fc.Arbitrary<Answerer> = fc.record({
  formId: fc.option(fc.constantFrom(...forms), { nil: undefined, freq: 4 }),
  bucket: perhaps(fc.constantFrom(1, 2, 3).map((byte) => bytes(byte, 32))),
})

/** A number of which no two calls of a history have the same. */
const eventNumber = fc.integer({ min: 2 ** 32, max: 2 ** 33 })

function eventOf(
  type: RequestEvent['type'],
  number: number,
  { id: requestId, accountId, folderId }: Pick<StoredRequest, 'id' | 'accountId' | 'folderId'>,
): RequestEvent {
  const [id, counts] = [idOf(16 * number + Number(requestId.slice(-1))), { answers: 1, answersLeft: 2 }]
  const times = { createdAtMicros: noonMicros, expiresAtMicros: number }
  return { id, type, accountId, requestId, folderId, ...counts, ...times }
}

type Decide = (found: FoundRequest) => Result<AnswerChange, { readonly code: string }>

/** Accepts an answer, unless the form has handed in one; or counts it in its bucket, or refuses it. */
const decision = fc
  .record({
    becomes: fc.constantFrom('accepted', 'accepted', 'accepted', 'accepted', 'counted', 'refused'),
    receivedAtMicros: aTime,
    bucket: aBucket,
    event: perhaps(eventNumber),
  })
  .map(({ becomes, receivedAtMicros, bucket, event }) => (request: Row): Decide => {
    if (becomes === 'refused') return decides(err({ code: 'no', wait: 7 }))
    const events = event === undefined ? {} : { events: [eventOf('request.answered', event, request)] }
    const change = { ...(bucket && { bucket }), ...events, more: 1 }
    if (becomes === 'counted') return decides(ok(change))
    return decidesBy({ accepted: { receivedAtMicros }, ...change }, ({ state, ...found }) =>
      found.receivedAtMicros === undefined && state.answers < found.request.answersAllowed
        ? ok({ ...change, accepted: { answers: state.answers + 1, receivedAtMicros } })
        : err({ code: 'no' }),
    )
  })

/** One of few, so that who has read a draft often replaces or shares it. */
export const aHead = fc.constantFrom(1, 1, 1, 2).map((byte) => bytes(byte, 48) as Ciphertext)

export const aFileId = fc.constantFrom(1, 2, 3, 4).map(idOf)

/** A draft, with its note and its files. */
interface Draft extends NewDraft {
  readonly secret: StoredSecret & { readonly link: undefined }
  readonly files: readonly StoredSecretFile[]
}

/** A draft of one of the folders. */
const drafted = fc
  .record({
    columns: fc.record({
      openLimit: perhaps(fc.integer({ min: 1, max: 9 })),
      notify: fc.boolean(),
      hasPassword: fc.boolean(),
      kid: aText.map(({ kid }) => kid),
      headCiphertext: aHead,
    }),
    nth: aNumber,
    note: fc.record({ note: aCiphertext, wrappedKey: aCiphertext }),
    files: fc.uniqueArray(fc.record({ id: aFileId, isShown: fc.boolean(), about: aText }), {
      selector: ({ id }) => id,
      maxLength: 2,
    }),
  })
  .map(({ columns, nth, note, files }) => (at: number): Draft => {
    const { number: _, ...row } = rowOf(at, nth)
    const secret = { ...row, link: undefined, ...columns }
    const fileOf = (file: (typeof files)[number], index: number): StoredSecretFile => ({
      ...{ ...file, accountId: row.accountId, secretId: row.id, number: index + 1 },
    })
    return { secret, note, files: files.map(fileOf) }
  })

export const aDraft: fc.Arbitrary<Draft> = fc
  .record({ at: aNumber, drafted })
  .map(({ at, drafted: draftAt }) => draftAt(at))

interface Answering {
  readonly digest: Uint8Array
  readonly answerer: Answerer
  readonly draft: Draft
  readonly decide: Decide
}

/** An answer with files. */
export const answering = fc
  .record({ at: aNumber, nth: aNumber, answerer, drafted, decision })
  .map(({ at, nth, answerer: given, drafted: draftAt, decision: decisionOf }): Answering => {
    const request = rowOf(at, nth)
    return { digest: digestOf(request), answerer: given, draft: draftAt(at), decide: decisionOf(request) }
  })

const filter = fc
  .record({ place: aPlace, hasFolder: fc.boolean(), nowMicros: aTime })
  .map(({ place: { accountId, folderId }, hasFolder, nowMicros }): RequestFilter => {
    return { accountId, nowMicros, ...(hasFolder && { folderId }) }
  })

/** Where a page of requests, or of drafts, begins. */
export const cursor = perhaps(aRow.map(({ createdAtMicros, id }) => ({ createdAtMicros, id })))

/** The account and the id of a request, and a time: often that at which those close that are there from the beginning. */
const ownedAt = fc
  .record({ owned, nowMicros: fc.oneof(aTime, fc.constant(firstClosing)) })
  .map(({ owned: { accountId, id }, nowMicros }) => [accountId, id, nowMicros] as const)

/** What is tried on the store of requests. Answers with files are tried where their contents are under way. */
export const requestSteps = stepsOf('requests', {
  insert: inserted,
  find: ownedAt,
  page: [filter, cursor, aLimit],
  countOpen: [filter],
  close: ownedAt,
  findByDigest: [aRow.map(digestOf), aTime, fc.option(answerer, { nil: undefined, freq: 4 })],
  answer: answering.map(({ digest, answerer: given, draft: { secret, note }, decide }) => {
    return [digest, given, { secret, note }, decide] as const
  }),
  eraseIn: untilNone(
    anAccount,
    aPlace.map(({ folderId }) => folderId),
    aLimit,
  ),
  eraseExpired: untilNone(
    aTime,
    aLimit,
    eventNumber.map(
      (number) => (request: StoredRequest) => eventOf('request.closed_unanswered', number, request),
    ),
  ),
})
