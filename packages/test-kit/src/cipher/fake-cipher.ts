import { createHash } from 'node:crypto'
import type {
  Ciphertext,
  DecryptError,
  Digests,
  LinkToken,
  PlainSecret,
  SecretCipher,
  SecretHead,
  StoredSecret,
  TextCipher,
  TextPlace,
  UnstoredPlace,
  TokenSeal,
} from '@sotto/core'
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow'
import { createFakeDigests } from './fake-digests.ts'
import { createFakeKeyRing, type FakeKeyRing } from './fake-key-ring.ts'
import { fakeOpen, fakeSeal } from './fake-seal.ts'

/** What `createFakeCipher` takes. */
export interface FakeCipherOptions {
  /** The keys that ciphertexts are labelled with; a new ring with the key 1 by default. */
  readonly keyRing?: FakeKeyRing
  /** The name of the installation. Different installations cannot decrypt each other's ciphertexts. `fake` by default. */
  readonly installation?: string
}

/** The fake ciphers and digests, under their names in `Ports`. */
export interface FakeCipher {
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly keyRing: FakeKeyRing
  readonly digests: Digests
}

/**
 * Ciphers that keep every promise of their ports except secrecy: there is no cryptography in them. For tests only. A change of any byte
 * of a ciphertext, or of what it is bound to, is `data_damaged`.
 */
export function createFakeCipher({
  keyRing = createFakeKeyRing(),
  installation = 'fake',
}: FakeCipherOptions = {}): FakeCipher {
  let nonce = 0
  const seal: Seal = (text, binding, padTo) =>
    fakeSeal(text, { binding: installation + binding, padTo, nonce: (nonce += 1) })
  const open: Open = (sealed, binding, { kid, what, id }) => {
    if (!keyRing.holds(kid)) return err({ code: 'key_unknown', kid })
    const text = fakeOpen(sealed, installation + binding)
    return text === undefined ? err({ code: 'data_damaged', what, id }) : ok(text)
  }
  return {
    textCipher: {
      ...createTextCipher(keyRing, seal, open),
      sealText: (to, text) => seal(text, sealBinding(to), 64),
      unsealText: (to, sealed) => fakeOpen(sealed, installation + sealBinding(to)),
    },
    secretCipher: createSecretCipher(keyRing, seal, open),
    keyRing,
    digests: createFakeDigests(keyRing, installation),
  }
}

/** A text as long as a link token, so that a head keeps its length when it gets one. */
const noToken = ' '.repeat(43)

type Seal = (text: string, binding: string, padTo: number) => Ciphertext
type Open = (
  sealed: Ciphertext,
  binding: string,
  row: { readonly kid: number; readonly what: string; readonly id: string },
) => Result<string, DecryptError>

function sealBinding({ accountId, token }: TokenSeal): string {
  return JSON.stringify(['token', accountId, token])
}

function createTextCipher(
  keyRing: FakeKeyRing,
  seal: Seal,
  open: Open,
): Pick<TextCipher, 'encryptText' | 'decryptText'> {
  const binding = (kid: number, { column, accountId, rowId }: TextPlace | UnstoredPlace): string =>
    JSON.stringify([kid, column, accountId, rowId])
  return {
    encryptText(place, text) {
      const kid = keyRing.activeKid()
      return { kid, ciphertext: seal(text, binding(kid, place), 64) }
    },
    decryptText: (place, { kid, ciphertext }) =>
      open(ciphertext, binding(kid, place), { kid, what: place.column, id: place.rowId }),
  }
}

type FakeHead = [label: string, linkToken: LinkToken, requestKey: string | null, ...digest: number[]]

/** What a wrapped key contains: the key of the note; with a password also that, to compare with, and the encrypted note. */
interface Wrapped {
  readonly noteKey: string
  readonly password?: string | undefined
  readonly note?: string | undefined
}

function createSecretCipher(keyRing: FakeKeyRing, seal: Seal, open: Open): SecretCipher {
  const sealKeys = <W extends Wrapped | undefined>(row: PlainSecret['row'], head: SecretHead, wrapped: W) => {
    const kid = keyRing.activeKid()
    return {
      kid,
      headCiphertext: seal(
        JSON.stringify([head.label, head.linkToken ?? noToken, head.requestKey, ...(head.proofDigest ?? [])]),
        headBinding({ ...row, kid }),
        64,
      ),
      wrappedKey: (wrapped &&
        seal(JSON.stringify(wrapped), wrappedKeyBinding({ ...row, kid }), 64)) as W extends Wrapped
        ? Ciphertext
        : Ciphertext | undefined,
    }
  }
  const openHead = (secret: StoredSecret): Result<SecretHead, DecryptError> =>
    open(secret.headCiphertext, headBinding(secret), { ...secret, what: 'secret.head' }).map((text) => {
      const [label, linkToken, requestKey, ...digest] = JSON.parse(text) as FakeHead
      return {
        label,
        linkToken: linkToken === noToken ? undefined : linkToken,
        ...(requestKey !== null && { requestKey }),
        ...(digest.length > 0 && { proofDigest: Uint8Array.from(digest) }),
      }
    })
  const openWrappedKey = (secret: StoredSecret, wrappedKey: Ciphertext): Result<Wrapped, DecryptError> =>
    open(wrappedKey, wrappedKeyBinding(secret), { ...secret, what: 'secret.wrap' }).map(
      (text) => JSON.parse(text) as Wrapped,
    )
  let noteKeys = 0

  return {
    encryptSecret({ row, head, note, password }) {
      const noteKey = String((noteKeys += 1))
      const sealed = seal(note, noteBinding(row, noteKey), 256)
      const locked = password === undefined ? {} : { password, note: digestOf(sealed) }
      return okAsync({ ...sealKeys(row, head, { noteKey, ...locked }), note: sealed })
    },

    decryptHead: openHead,

    decryptNote(secret, { note, wrappedKey }, password) {
      const wrapped = openWrappedKey(secret, wrappedKey)
      if (wrapped.isErr()) return errAsync(wrapped.error)
      if (secret.hasPassword) {
        if (wrapped.value.note !== digestOf(note))
          return errAsync({ code: 'data_damaged', what: 'secret.note', id: secret.id })
        if (password === undefined) return errAsync({ code: 'password_required' })
        if (password !== wrapped.value.password) return errAsync({ code: 'password_wrong' })
      }
      const binding = noteBinding(secret, wrapped.value.noteKey)
      const text = open(note, binding, { ...secret, what: 'secret.note' })
      return text.isErr() ? errAsync(text.error) : okAsync(text.value)
    },

    rebind({ from, wrappedKey, link, columns, head }) {
      const wrapped = wrappedKey === undefined ? ok(undefined) : openWrappedKey(from, wrappedKey)
      if (wrapped.isErr()) return err(wrapped.error)
      return ok(sealKeys({ ...from, ...columns, link }, head, wrapped.value))
    },
  }
}

function digestOf(note: Ciphertext): string {
  return createHash('sha256').update(note).digest('hex')
}

type BoundRow = Omit<StoredSecret, 'headCiphertext'>

function headBinding({
  kid,
  accountId,
  folderId,
  id,
  createdAtMicros,
  link,
  openLimit,
  hasPassword,
}: BoundRow): string {
  const lookup = link && Buffer.from(link.lookup).toString('hex')
  const columns = [kid, accountId, folderId, id, createdAtMicros, openLimit, hasPassword]
  return JSON.stringify(['head', ...columns, lookup, link?.createdAtMicros, link?.expiresAtMicros])
}

function wrappedKeyBinding({ kid, accountId, id, link, openLimit, hasPassword }: BoundRow): string {
  const lookup = link && Buffer.from(link.lookup).toString('hex')
  return JSON.stringify(['wrap', kid, accountId, id, openLimit, hasPassword, lookup, link?.expiresAtMicros])
}

function noteBinding({ accountId, id }: Pick<StoredSecret, 'accountId' | 'id'>, noteKey: string): string {
  return JSON.stringify(['note', accountId, id, noteKey])
}
