import {
  attemptsText,
  type LinkChange,
  type LinkNotFound,
  type LinkRecord,
  type NewTicket,
  type SecretEvent,
  type StorageError,
  type Uuid,
} from '@sotto/core'
import { err, type Result } from 'neverthrow'
import type { Waiting } from '../connection/batches.ts'
import { failureOf } from '../connection/errors.ts'

/** One call of `LinkStore.update`. */
export interface LinkUpdate {
  /** The key that all calls of one link share. */
  readonly key: string
  readonly lookup: Uint8Array
  readonly formId: string | undefined
  readonly decide: (record: LinkRecord) => Result<LinkChange, unknown>
}

export type LinkCall = Waiting<LinkUpdate, LinkChange, unknown>

/** A link as it was read. */
export interface ReadLink {
  readonly version: number
  readonly record: LinkRecord
  /** The forms that have claimed an open, among those that the callers name. */
  readonly usedForms: readonly string[]
}

/** What was decided for a caller. */
interface Decision {
  readonly call: LinkCall
  readonly answer: Result<LinkChange, LinkNotFound | StorageError>
  readonly changesLink: boolean
}

/** What the callers of one link decided, and what that makes of the link. */
export interface Decided {
  /** The link that they are about. */
  readonly key: string
  readonly decisions: readonly Decision[]
  readonly version: number
  readonly after: LinkAfter
  /** The link as it is once `after` is written. */
  readonly next: ReadLink
}

/** A link after the decisions, as it is written. */
export interface LinkAfter {
  readonly id: Uuid
  readonly opens: number
  readonly attempts: string | null
  readonly hasNote: boolean
  /** The times of the new opens, the latest last. */
  readonly openedAtMicros: readonly number[]
  /** The forms to remember. */
  readonly forms: readonly string[]
  readonly tickets: readonly NewTicket[]
  readonly events: readonly SecretEvent[]
}

/**
 * Lets each caller decide in the order of their arrival, on the state that those before it left. An exception of one caller is the answer
 * of that caller only.
 */
export function decideInOrder(
  key: string,
  calls: readonly LinkCall[],
  { version, record, usedForms }: ReadLink,
): Decided {
  const { secret } = record
  let { opens, hasNote, attempts } = record.state
  const used = new Set(usedForms)
  const openedAtMicros: number[] = []
  const forms: string[] = []
  const tickets: NewTicket[] = []
  const events: SecretEvent[] = []

  /** Whether the change makes a difference. */
  function apply(change: LinkChange, formId: string | undefined): boolean {
    const before = { opens, hasNote, attempts }
    opens = change.opens ?? opens
    attempts = change.attempts ?? attempts
    hasNote &&= change.destroyNote !== true
    if (change.openedAtMicros !== undefined) openedAtMicros.push(change.openedAtMicros)
    const isNewForm = change.rememberForm === true && formId !== undefined && !used.has(formId)
    if (isNewForm) {
      used.add(formId)
      forms.push(formId)
    }
    if (change.ticket !== undefined) tickets.push(change.ticket)
    const reported = change.events ?? []
    events.push(...reported)
    const isSame =
      opens === before.opens &&
      hasNote === before.hasNote &&
      attemptsText(attempts) === attemptsText(before.attempts)
    const isOpen = change.openedAtMicros !== undefined || change.ticket !== undefined
    return !isSame || isOpen || isNewForm || reported.length > 0
  }

  const decisions = calls.map((call): Decision => {
    const { formId, decide } = call.input
    const formUsed = formId !== undefined && used.has(formId)
    const answer = decided(decide, { secret, state: { opens, hasNote, attempts, formUsed } })
    return { call, answer, changesLink: answer.isOk() && apply(answer.value, formId) }
  })
  const after = {
    id: secret.id,
    opens,
    attempts: attemptsText(attempts),
    hasNote,
    openedAtMicros,
    forms,
    tickets,
    events,
  }
  const state = { opens, hasNote, attempts, formUsed: false }
  const next = { version: version + 1, record: { secret, state }, usedForms: [] }
  return { key, decisions, version, after, next }
}

type DecisionError = LinkNotFound | StorageError

function decided(decide: LinkUpdate['decide'], record: LinkRecord): Result<LinkChange, DecisionError> {
  try {
    return decide(record) as Result<LinkChange, DecisionError>
  } catch (error) {
    return err(failureOf(error))
  }
}
