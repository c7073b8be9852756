import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type {
  CipherBusy,
  DecryptError,
  FormAlreadyUsed,
  LinkLocked,
  LinkNotFound,
  PasswordRequired,
  PasswordWrong,
  StorageError,
} from '../errors.ts'
import type { LinkChange, LinkRecord } from '../ports/link-store.ts'
import type { Ports } from '../ports/ports.ts'
import type { StoredNote } from '../ports/secret-store.ts'
import { countWrong, releaseAttempt, reserveAttempt } from '../rules/attempts.ts'
import { formsRememberedMax, isOpenable, opensLeft } from '../rules/opening.ts'
import { lookupOf } from './preview-link.ts'

type OpenPorts = Pick<Ports, 'links' | 'secretCipher' | 'digests' | 'clock' | 'random'>

export interface OpenSecretInput {
  readonly token: string
  /** As the recipient typed it. Ignored when the link asks for none. */
  readonly password?: string | undefined
  /** The id of the form that asks, 32 lower-case hexadecimal digits: a form opens once, its repetition asks again. */
  readonly formId?: string | undefined
}

/** What a recipient gets. */
export interface OpenedSecret {
  readonly label: string
  readonly note: string
  /** Opens that remain after this one; `undefined` without limit. */
  readonly opensLeft: number | undefined
  readonly expiresAtMicros: number
}

export type OpenSecretError =
  | LinkNotFound
  | PasswordRequired
  | PasswordWrong
  | LinkLocked
  | FormAlreadyUsed
  | CipherBusy
  | DecryptError
  | StorageError

/**
 * Opens a link: decrypts in memory, claims one open durably, and only then hands the note over. So there are never more
 * deliveries than the open limit, whatever the concurrency; a crash may cost an open, damage found before the claim costs none.
 * @errors `link_not_found` for an unknown, malformed, expired, used-up, destroyed or disabled link alike; `password_required`,
 * `password_wrong`, `link_locked`; `form_already_used` when this form has opened the link before
 */
export function openSecret(
  ports: OpenPorts,
  input: OpenSecretInput,
): ResultAsync<OpenedSecret, OpenSecretError> {
  return new ResultAsync(open(ports, input))
}

async function open(
  ports: OpenPorts,
  input: OpenSecretInput,
): Promise<Result<OpenedSecret, OpenSecretError>> {
  const lookup = lookupOf(ports.digests, input.token)
  const found = await ports.links.findWithNote(lookup)
  if (found.isErr()) return err(found.error)
  const record = found.value
  if (record === undefined || !isOpenable(record, ports.clock.nowMicros()))
    return err({ code: 'link_not_found' })
  if (!record.secret.hasPassword) return decryptAndClaim(ports, lookup, record, input, undefined)
  if (input.password === undefined) return err({ code: 'password_required' })
  return attempt(ports, lookup, record, input)
}

/** Reserves an attempt before the password is verified, and settles it whatever comes of it. */
async function attempt(
  ports: OpenPorts,
  lookup: Uint8Array,
  record: LinkRecord & { readonly note: StoredNote },
  input: OpenSecretInput,
): Promise<Result<OpenedSecret, OpenSecretError>> {
  const attemptId = attemptIdFrom(ports.random.bytes(12))
  const nowMicros = ports.clock.nowMicros()
  const reserved = await ports.links.update(
    lookup,
    undefined,
    (current): Result<LinkChange, LinkNotFound | LinkLocked> => {
      if (!isOpenable(current, nowMicros)) return err({ code: 'link_not_found' })
      return reserveAttempt(current.state.attempts, attemptId, nowMicros).map((attempts) => ({ attempts }))
    },
  )
  if (reserved.isErr()) return err(reserved.error)
  const opened = await decryptAndClaim(ports, lookup, record, input, attemptId)
  if (opened.isOk()) return opened
  const settled = await settle(ports, lookup, attemptId, opened.error)
  // An answer about the password is given only once it is counted.
  return settled.isErr() && opened.error.code === 'password_wrong' ? err(settled.error) : opened
}

async function decryptAndClaim(
  ports: OpenPorts,
  lookup: Uint8Array,
  { secret, note: stored }: LinkRecord & { readonly note: StoredNote },
  { password, formId }: OpenSecretInput,
  attemptId: string | undefined,
): Promise<Result<OpenedSecret, OpenSecretError>> {
  const head = ports.secretCipher.decryptHead(secret)
  if (head.isErr()) return err(head.error)
  const note = await ports.secretCipher.decryptNote(secret, stored, password?.normalize('NFC'))
  if (note.isErr()) return err(note.error)
  const nowMicros = ports.clock.nowMicros()
  const claimed = await ports.links.update(lookup, formId, (record) => claim(record, attemptId, nowMicros))
  if (claimed.isErr()) return err(claimed.error)
  return ok({
    label: head.value.label,
    note: note.value,
    opensLeft: opensLeft(secret.openLimit, claimed.value.opens),
    expiresAtMicros: secret.link.expiresAtMicros,
  })
}

/** One open: counted, its attempt released, the note destroyed with the last one. */
function claim(
  record: LinkRecord,
  attemptId: string | undefined,
  nowMicros: number,
): Result<LinkChange & { readonly opens: number }, LinkNotFound | FormAlreadyUsed> {
  const { secret, state } = record
  if (!isOpenable(record, nowMicros)) return err({ code: 'link_not_found' })
  if (state.formUsed) return err({ code: 'form_already_used' })
  const opens = state.opens + 1
  return ok({
    opens,
    destroyNote: opensLeft(secret.openLimit, opens) === 0,
    rememberForm: secret.openLimit > 0 || state.opens < formsRememberedMax,
    ...(attemptId === undefined ? {} : { attempts: releaseAttempt(state.attempts, attemptId) }),
  })
}

/** A wrong password counts; whatever else went wrong is not the recipient's guess, so the attempt is taken back. */
function settle(
  { links, clock }: OpenPorts,
  lookup: Uint8Array,
  attemptId: string,
  error: OpenSecretError,
): ResultAsync<LinkChange, LinkNotFound | StorageError> {
  const nowMicros = clock.nowMicros()
  return links.update(lookup, undefined, ({ state }) =>
    ok({
      attempts:
        error.code === 'password_wrong'
          ? countWrong(state.attempts, attemptId, nowMicros)
          : releaseAttempt(state.attempts, attemptId),
    }),
  )
}

function attemptIdFrom(random: Uint8Array): string {
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
