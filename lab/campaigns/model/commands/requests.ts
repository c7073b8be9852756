import fc from 'fast-check'
import { addressLimits, countWrong, forget, lockedFor } from '../attempts.ts'
import {
  command,
  faults,
  labelFault,
  labels,
  perhapsOther,
  perhapsStranger,
  pick,
  picked,
  short,
  type Fault,
} from '../command.ts'
import { accountOf, byCreation, isOpen, remove, second, type AskedFor, type Model } from '../model.ts'
import { ask, type Refusal, type World } from '../world.ts'
import { addSecret, noteFault, place } from './secrets.ts'
import { bucketOf, keep } from './sign-in.ts'

const notFound = { code: 'request_not_found' }
const unknownToken = 'A'.repeat(43)
const titles = fc.oneof({ arbitrary: fc.constant('a request'), weight: 9 }, labels)
const texts = mostly(['', 'two\nlines', 'x'.repeat(2_000)], ['x'.repeat(2_001), 'bell \u0007'])
const lifetimes = mostly([undefined, 86_400, 30 * 86_400], [30 * 86_400 + 1, 1.5])
const answersAllowed = mostly([undefined, 1, 2, 30, 100], [101, 0])
const notes = mostly(['an answer'], ['x'.repeat(65), ''])
const forms = fc.constantFrom(undefined, '2'.repeat(32), '3'.repeat(32))
const addresses = fc.constantFrom('192.0.2.1', '192.0.2.1', '198.51.100.7')

/** Usually one that is allowed. */
function mostly<T>(allowed: readonly T[], refused: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...allowed), weight: 9 },
    { arbitrary: fc.constantFrom(...refused), weight: 1 },
  )
}

function fieldFaults(
  given: { readonly title: string; readonly text: string },
  {
    lifetimeSeconds = 1,
    allowed = 1,
  }: { readonly lifetimeSeconds: number | undefined; readonly allowed: number | undefined },
  folderFault: Fault | undefined,
) {
  const range = (field: string, count: number, limit: number): Fault | undefined =>
    Number.isInteger(count) && count >= 1 && count <= limit
      ? undefined
      : { field, rule: 'out_of_range', limit }
  return faults(
    labelFault('title', given.title),
    textFault(given.text),
    range('answersAllowed', allowed, 100),
    range('lifetimeSeconds', lifetimeSeconds, 30 * 86_400),
    folderFault,
  )
}

function textFault(text: string): Fault | undefined {
  if (text.includes('\u0007')) return { field: 'text', rule: 'control_character' }
  return text.length > 2_000 ? { field: 'text', rule: 'too_long', limit: 2_000 } : undefined
}

/** The request as its owner sees it. */
export function shownRequest({ kid: _, forms: __, accountId: ___, token, ...request }: AskedFor) {
  return { ...request, takesFiles: false, link: { token } }
}

/** The requests of an account that have not closed by themselves, newest first. */
export function listedRequests(model: Model, accountId: string, now: number) {
  return model.requests
    .filter((request) => request.accountId === accountId && request.closesAtMicros > now)
    .toSorted((one, other) => byCreation(other, one))
    .map(shownRequest)
}

/** What a sweep does with the requests that are over. */
export function sweepRequests(model: Model, now: number): void {
  const over = model.requests.filter(({ closesAtMicros }) => closesAtMicros <= now - 600 * second)
  for (const request of over) {
    remove(model.requests, request)
    const isUnanswered = request.answers === 0 && request.closedAtMicros === undefined
    if (isUnanswered) tell(model, request, 'request.closed_unanswered', request.closesAtMicros)
  }
}

function tell(model: Model, request: AskedFor, type: string, at: number): void {
  if (!request.notify) return
  const { id: requestId, accountId, folderId, answers, closesAtMicros: expiresAtMicros } = request
  const answersLeft = request.answersAllowed - answers
  const about = { type, accountId, requestId, folderId, createdAtMicros: at }
  model.events.push({ ...about, answers, answersLeft, expiresAtMicros })
}

/** A link that was given out; in one of 25 cases a token that never was one, or that of a secret. */
function linkAt({ model, clock }: World, nr: number) {
  // Rather one of those that can be answered.
  const open = model.requests.filter((request) => isOpen(request, clock.nowMicros()))
  const given = nr % 4 === 0 || open.length === 0 ? model.requests : open
  const request = nr % 25 === 24 ? undefined : picked(given, nr)
  return { request, token: request?.token ?? (nr % 2 === 0 ? unknownToken : 'malformed') }
}

function isThere({ model }: World, request: AskedFor | undefined): request is AskedFor {
  const account = request && accountOf(model, request.accountId)
  return account !== undefined && account.disabledAtMicros === undefined
}

interface Given {
  readonly token: string
  readonly note: string
  readonly formId: string | undefined
  readonly address: string
}

async function answer(world: World, request: AskedFor | undefined, given: Given): Promise<void> {
  const now = world.clock.nowMicros()
  const repeated =
    isThere(world, request) && given.formId !== undefined ? request.forms.get(given.formId) : undefined
  const refusal = repeated === undefined ? refusalOf(world, request, given, now) : undefined
  await ask(world, 'answerRequest', ({ sotto }) => sotto.answerRequest(given), {
    refusal,
    value: () => ({ receivedAtMicros: repeated ?? now, isRepeated: repeated !== undefined }),
  })
  if (refusal !== undefined || repeated !== undefined || request === undefined) return
  request.answers += 1
  if (given.formId !== undefined) request.forms.set(given.formId, now)
  tell(world.model, request, 'request.answered', now)
  await addAnswer(world, request, given.note)
}

/** Counts the answer for its address if it is accepted. Times that a wrong clock left in the future are stored corrected, as far as it comes. */
function refusalOf(
  world: World,
  request: AskedFor | undefined,
  { address, note }: Given,
  now: number,
): Refusal | undefined {
  if (!isThere(world, request) || !isOpen(request, now)) return notFound
  const { name, bucket, isCorrected } = bucketOf(world, `answers from ${address}`, addressLimits)
  const retryAfterSeconds = lockedFor(bucket, addressLimits, now)
  const tooMany =
    retryAfterSeconds === undefined ? undefined : { code: 'too_many_answers', retryAfterSeconds }
  if (tooMany !== undefined && !isCorrected) return tooMany
  const fault = faults(noteFault(note))
  if (fault !== undefined) return fault
  if (tooMany === undefined) {
    forget(bucket, addressLimits, now)
    countWrong(bucket, addressLimits, now)
  }
  keep(world, name, bucket)
  return tooMany
}

/** The draft gets an id by chance, the same on every storage. */
async function addAnswer(
  world: World,
  { id: requestId, accountId, folderId, title: label }: AskedFor,
  note: string,
) {
  const known = new Set(world.model.secrets.map(({ id }) => id))
  for await (const page of world.systems[0]?.sotto.listDrafts({ accountId, folderId }) ?? [])
    for (const { id } of page.isOk() ? page.value.items : [])
      if (!known.has(id)) {
        const fields = { label, note, openLimit: undefined, notify: false, password: undefined }
        addSecret(world, { ...fields, id, accountId, folderId }, undefined).answersRequest = requestId
      }
}

export const requestCommands = [
  ...Array.from({ length: 2 }, () =>
    command(
      'create request',
      fc.tuple(pick, pick, pick, titles, texts, answersAllowed, lifetimes, fc.boolean()),
      async (world, [nr, other, stranger, title, text, allowed, lifetimeSeconds, notify], say) => {
        const { folderId, accountId, fault, text: where } = place(world, nr, other, stranger)
        const fields = { title, text, answersAllowed: allowed, lifetimeSeconds, notify }
        const refusal = fieldFaults({ title, text }, { lifetimeSeconds, allowed }, fault)
        const now = world.clock.nowMicros()
        await ask(
          world,
          'createRequest',
          ({ sotto }) => sotto.createRequest({ accountId, folderId, ...fields }),
          {
            refusal,
            value: ({ id, link }) => {
              const request: AskedFor = {
                ...{ id, accountId, folderId: folderId.toLowerCase(), title, text, notify, answers: 0 },
                ...{ answersAllowed: allowed ?? 1, createdAtMicros: now, closedAtMicros: undefined },
                closesAtMicros: now + (lifetimeSeconds ?? 7 * 86_400) * second,
                ...{ token: link.token, kid: world.model.keys.active, forms: new Map<string, number>() },
              }
              world.model.requests.push(request)
              return shownRequest(request)
            },
          },
        )
        say(`${where}, ${allowed ?? 'one'} answers${notify ? ', notify' : ''}`)
      },
    ),
  ),
  command('close request', fc.tuple(pick, pick, pick), async (world, [nr, other, stranger], say) => {
    const { model, clock } = world
    const now = clock.nowMicros()
    const request = picked(model.requests, nr)
    const id = perhapsOther(request?.id, other)
    const accountId = perhapsStranger(world, request?.accountId, stranger)
    say(`${short(id)} of ${short(accountId)}`)
    const isOwn = request?.accountId === accountId && request.id === id.toLowerCase()
    const isFound = isOwn && request.closesAtMicros > now
    await ask(world, 'closeRequest', ({ sotto }) => sotto.closeRequest({ accountId, id }), {
      refusal: isFound ? undefined : notFound,
    })
    if (isFound) request.closedAtMicros ??= now
  }),
  command('preview request', pick, async (world, nr, say) => {
    const { token, request } = linkAt(world, nr)
    const now = world.clock.nowMicros()
    say(short(request?.id ?? 'none'))
    const isFound = isThere(world, request) && isOpen(request, now)
    await ask(world, 'previewRequest', ({ sotto }) => sotto.previewRequest({ token }), {
      refusal: isFound ? undefined : notFound,
      value: () =>
        request && {
          ...{ title: request.title, text: request.text, closesAtMicros: request.closesAtMicros },
          remainingSeconds: Math.floor((request.closesAtMicros - now) / second),
          from: accountOf(world.model, request.accountId)?.displayName?.text,
          fileMaxBytes: undefined,
        },
    })
  }),
  ...Array.from({ length: 3 }, () =>
    command(
      'answer request',
      fc.tuple(pick, notes, forms, addresses, fc.nat(9)),
      async (world, [nr, note, formId, address, rarely], say) => {
        const { token, request } = linkAt(world, nr)
        // Once in ten times as often as one address may.
        const times = rarely === 0 ? 22 : 1
        say(`${short(request?.id ?? 'none')} from ${address}, ${times} times`)
        for (let nth = 0; nth < times; nth += 1)
          await answer(world, request, { token, note, formId: times === 1 ? formId : undefined, address })
      },
    ),
  ),
]

/** When requests end by themselves. */
export function endsOf({ requests }: Model): readonly number[] {
  return requests.flatMap(({ closesAtMicros }) => [closesAtMicros, closesAtMicros + 600 * second])
}
