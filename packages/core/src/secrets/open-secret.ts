import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import {
  clientGone,
  keyWrong,
  linkNotFound,
  passwordRequired,
  type KeyWrong,
  type LinkLocked,
  type LinkNotFound,
} from './errors.ts'
import { corrupted, type DecryptError, type StorageError } from '../shared/errors.ts'
import { hexOf } from '../shared/hex.ts'
import { opensLeft } from './secret.ts'
import type { OpaqueToken } from '../shared/opaque-token.ts'
import type { SecretFile } from '../files/secret-file.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { FoundNote, LinkRecord } from './link-store.ts'
import type { SecretHead } from './secret-cipher.ts'
import type { StoredNote, StoredSecret } from './secret-store.ts'
import { becomesLocked } from '../shared/attempts.ts'
import { normalizePassword } from '../shared/fields.ts'
import { aFunction, aString, type InputOf } from '../shared/inputs.ts'
import { token } from '../shared/shapes.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import { isProven, sealedMark, type SealedMark } from '../sealed/sealed-note.ts'
import { shownFile, splitNote } from '../files/file-rules.ts'
import { claimOpen, isOpenable, reserveOpen, settleOpen } from './opening.ts'
import { showDisplayName } from '../accounts/accounts.ts'
import { newId } from '../shared/ids.ts'
import { lookupOf } from './links.ts'
import { makeTicket } from '../files/tickets.ts'

/** A password that was refused, and whose secret it was given for. */
export interface PasswordRefused {
  readonly accountId: Uuid
  readonly secretId: Uuid
  /** The password was wrong; it was wrong and locks the link, or disables it; or it was not looked at, because the link is locked. */
  readonly reason: 'wrong' | 'locks' | 'locked'
}

/** What a recipient gets. The note of a sealed secret is as sealed as it arrived. */
export interface OpenedSecret extends SealedMark {
  readonly label: string
  readonly note: string
  /** Opens that remain after this one; `undefined` without limit. */
  readonly opensLeft: number | undefined
  readonly expiresAtMicros: number
  /** The display name of its owner; `undefined` when there is none. */
  readonly from: string | undefined
  /**
   * The secret's files, by number, and the ticket with which each can be fetched for one hour (`readTicket`), until when; absent when it
   * has none.
   */
  readonly attached?: {
    readonly files: readonly SecretFile[]
    readonly ticket: OpaqueToken
    readonly expiresAtMicros: number
  }
}

const needs = [
  'links.find',
  'links.update',
  'links.findWithNote',
  'secretCipher.decryptHead',
  'secretCipher.decryptNote',
  'textCipher.decryptText',
  'textCipher.sealText',
  'digests.linkLookup',
  'digests.opaqueTokenDigest',
  'clock.nowMicros',
  'random.bytes',
] as const

const mayTake = {
  /** The password as the recipient typed it. Ignored when the link asks for none. */
  password: aString,
  /** The id of the form that was sent, 32 lower-case hexadecimal digits: a form opens once, repeating it asks again. */
  formId: aString,
  /** What proves that the recipient has the key of a sealed secret, 43 characters of base64url. Ignored when the secret is not sealed. */
  proof: aString,
  /**
   * Whether the client that asked has left. Asked right before the open is claimed, because decryption takes long with a password: an open
   * that nobody can receive is not spent.
   */
  isAbandoned: aFunction<() => boolean>,
  /** Called with each password that was refused, once that is stored: for those who watch over guesses. */
  onPasswordRefused: aFunction<(refused: PasswordRefused) => void>,
}

type Deps = DepsOf<(typeof needs)[number]>
type Input = InputOf<typeof token, typeof mayTake>

/**
 * Opens a link: decrypts in memory, claims one open durably, and only then returns the note. So there are never more deliveries than the
 * open limit, whatever the concurrency. A crash may cost an open; corruption that is found before the claim costs none.
 * @errors `link_not_found`, the same for an unknown, malformed, expired, used-up, destroyed or disabled link; `key_wrong` for a sealed one
 * without the proof of its key, before anything is counted, whatever else is wrong; `password_required`,
 * `password_wrong`, `link_locked`; `form_already_used` when this form has opened the link before; `hasher_busy`;
 * `client_gone` when `isAbandoned` was true: nothing was counted
 */
export const openSecret = useCase({
  needs,
  takes: token,
  mayTake,
  async run(deps, input) {
    const lookup = lookupOf(deps.digests, input.token)
    // Most links have no password: one read is enough for them.
    if (input.password === undefined) return readAndClaim(deps, { lookup, input, attemptId: undefined })
    const nowMicros = deps.clock.nowMicros()
    const found = await deps.links.find(lookup, nowMicros)
    if (found.isErr()) return err(found.error)
    const record = found.value
    if (record === undefined || !isOpenable(record, nowMicros)) return err(linkNotFound)
    const head = provenHead(deps, record.secret, input)
    if (head.isErr()) return err(head.error)
    return record.secret.hasPassword
      ? attempt(deps, lookup, record, input)
      : readAndClaim(deps, { lookup, input, attemptId: undefined })
  },
})

/**
 * Reserves an attempt before the password is verified, and settles it whatever the outcome. A note may be long, so it is read only once
 * the attempt is reserved: a guess at a locked link costs little.
 */
async function attempt(deps: Deps, lookup: Uint8Array, record: LinkRecord, input: Input) {
  const attemptId = hexOf(deps.random.bytes(12))
  const nowMicros = deps.clock.nowMicros()
  const eventId = eventIdOf(deps, record.secret, nowMicros)
  // An attempt that is refused as things stand is refused without a transaction.
  const expected = reserveOpen(record, { attemptId, nowMicros, eventId })
  if (expected.isErr()) return refuse(record, expected.error, input)
  const reserved = await deps.links.update(lookup, undefined, (current) =>
    reserveOpen(current, { attemptId, nowMicros, eventId }),
  )
  if (reserved.isErr()) return err(reserved.error)
  if (reserved.value.refused !== undefined) return refuse(record, reserved.value.refused, input)
  const opened = await readAndClaim(deps, { lookup, input, attemptId })
  if (opened.isOk()) return opened
  const isPasswordWrong = opened.error.code === 'password_wrong'
  const settled = await settle(deps, lookup, { attemptId, isPasswordWrong, eventId })
  // The recipient learns that the password is wrong only once that is counted.
  if (settled.isErr()) return isPasswordWrong ? err(settled.error) : opened
  if (isPasswordWrong) report(record, settled.value.locks ? 'locks' : 'wrong', input)
  return opened
}

function refuse<E extends LinkLocked | LinkNotFound>(
  record: LinkRecord,
  error: E,
  input: Input,
): Result<never, E> {
  if (error.code === 'link_locked' && error.reason === 'wrong_passwords') report(record, 'locked', input)
  return err(error)
}

function report(
  { secret: { id, accountId } }: LinkRecord,
  reason: PasswordRefused['reason'],
  { onPasswordRefused }: Input,
): void {
  onPasswordRefused?.({ accountId, secretId: id, reason })
}

/** What an open works with once its attempt, if it needs one, is reserved. */
interface Open {
  readonly lookup: Uint8Array
  readonly input: Input
  readonly attemptId: string | undefined
}

async function readAndClaim(deps: Deps, open: Open) {
  const nowMicros = deps.clock.nowMicros()
  const evenWithPassword = open.attemptId !== undefined
  const found = await deps.links.findWithNote(open.lookup, { nowMicros, evenWithPassword })
  if (found.isErr()) return err(found.error)
  const record = found.value
  if (record === undefined || !isOpenable(record, nowMicros)) return err(linkNotFound)
  const head = provenHead(deps, record.secret, open.input)
  if (head.isErr()) return err(head.error)
  const { note } = record
  if (note === undefined || (record.secret.hasPassword && !evenWithPassword)) return err(passwordRequired)
  return decryptAndClaim(deps, open, { found: record, head: head.value, stored: note })
}

/** The head of a secret whose key the recipient has, as far as that can be asked: a sealed one without its proof is not opened. */
function provenHead(
  { secretCipher, digests }: Deps,
  secret: StoredSecret,
  { proof }: Input,
): Result<SecretHead, KeyWrong | DecryptError> {
  const head = secretCipher.decryptHead(secret)
  return head.isOk() && !isProven(digests, head.value, proof) ? err(keyWrong) : head
}

async function decryptAndClaim(
  deps: Deps,
  { lookup, input: { password, formId, isAbandoned }, attemptId }: Open,
  {
    found: { secret, from },
    head,
    stored,
  }: { readonly found: FoundNote; readonly head: SecretHead; readonly stored: StoredNote },
) {
  const { secretCipher, links, clock } = deps
  const { accountId } = secret
  const normalized = password === undefined ? undefined : normalizePassword(password)
  const note = await secretCipher.decryptNote(secret, stored, normalized)
  if (note.isErr()) return err(note.error)
  if (isAbandoned?.() === true) return err(clientGone)
  const nowMicros = clock.nowMicros()
  const split = splitNote(note.value)
  if (split === undefined) return corrupted('secret.note', secret.id)
  const { text, files } = split
  const ticket = files.length === 0 ? undefined : makeTicket(deps, { accountId, files, nowMicros })
  const eventId = eventIdOf(deps, secret, nowMicros)
  const claim = { attemptId, nowMicros, eventId, ticket: ticket?.stored }
  const claimed = await links.update(lookup, formId, (record) => claimOpen(record, claim))
  if (claimed.isErr()) return err(claimed.error)
  return ok<OpenedSecret>({
    label: head.label,
    note: text,
    ...sealedMark(head),
    opensLeft: opensLeft(secret.openLimit, claimed.value.opens),
    expiresAtMicros: secret.link.expiresAtMicros,
    from: showDisplayName(deps.textCipher, accountId, from),
    ...(ticket && {
      attached: {
        files: files.map(shownFile),
        ticket: ticket.token,
        expiresAtMicros: ticket.stored.expiresAtMicros,
      },
    }),
  })
}

function settle(
  { links, clock }: Deps,
  lookup: Uint8Array,
  settling: {
    readonly attemptId: string
    readonly isPasswordWrong: boolean
    readonly eventId: Uuid | undefined
  },
): ResultAsync<{ readonly locks: boolean }, LinkNotFound | StorageError> {
  const nowMicros = clock.nowMicros()
  let locks = false
  return links
    .update(lookup, undefined, (record) => {
      const change = settleOpen(record, { ...settling, nowMicros })
      const { attempts } = record.state
      locks = becomesLocked(attempts, change.attempts ?? attempts, nowMicros)
      return ok(change)
    })
    .map(() => ({ locks }))
}

/** The id of an event about a secret, if its owner wants to hear of any. */
function eventIdOf(
  { random }: Deps,
  { notify }: Pick<LinkRecord['secret'], 'notify'>,
  nowMicros: number,
): Uuid | undefined {
  return notify ? newId(random, nowMicros) : undefined
}
