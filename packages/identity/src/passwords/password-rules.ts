import { emailLocalPart, type PasswordHashParams, passwordError } from '@sotto/core'
import { hexOf, type RuleBroken, codePointCount } from '@sotto/core/building-blocks'
import { commonPasswords } from './common-passwords.ts'

/** The fewest code points of an account's password: it is the only factor (NIST SP 800-63B-4, section 3.1.1.2). */
export const accountPasswordMinCodePoints = 15

/**
 * The rule that a new password of an account breaks; `undefined` when it breaks none. There are no rules of composition, and spaces are
 * allowed (NIST SP 800-63B-4, section 3.1.1.2).
 * @param password normalised by `normalizePassword`
 * @param email of the account, normalised; `undefined` when it has none
 */
export function accountPasswordError(password: string, email: string | undefined): RuleBroken | undefined {
  const broken = passwordError(password)
  if (broken !== undefined) return broken
  if (codePointCount(password) < accountPasswordMinCodePoints) {
    return { rule: 'too_short', limit: accountPasswordMinCodePoints }
  }
  const lowerCase = password.toLowerCase()
  if (commonPasswords.has(lowerCase)) return { rule: 'too_common' }
  const word = email === undefined ? undefined : emailLocalPart(email)
  return word !== undefined && isWordIn(lowerCase, word) ? { rule: 'contains_email', word } : undefined
}

/** Whether `text` has `word`, in any case, with no letter, mark or digit directly before or after it. */
function isWordIn(text: string, word: string): boolean {
  const part = String.raw`[\p{L}\p{M}\p{N}]`
  const literal = word.replace(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
  // eslint-disable-next-line sotto/linear-patterns -- the word, character by character, and one character on each side
  return new RegExp(`(?<!${part})${literal}(?!${part})`, 'iu').test(text)
}

/** An Argon2id hash with what it was made from, the password aside. */
export interface PasswordHash {
  readonly params: PasswordHashParams
  /** 16 bytes. */
  readonly salt: Uint8Array
  /** 32 bytes. */
  readonly hash: Uint8Array
}

const hashTextShape = /^argon2id,m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3}),([0-9a-f]{32}),([0-9a-f]{64})$/

/** The hash as one text, to be encrypted: `argon2id,m={KiB},t={passes},p={lanes},{salt},{hash}`, both in lower-case hexadecimal. */
export function passwordHashText({ params, salt, hash }: PasswordHash): string {
  const { memoryKiB, passes, parallelism } = params
  const cost = `m=${String(memoryKiB)},t=${String(passes)},p=${String(parallelism)}`
  return `argon2id,${cost},${hexOf(salt)},${hexOf(hash)}`
}

/** Reads what {@link passwordHashText} wrote; `undefined` when it is something else. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const [, memoryKiB, passes, parallelism, salt, hash] = hashTextShape.exec(text) ?? []
  if (salt === undefined || hash === undefined) return undefined
  const params = {
    memoryKiB: Number(memoryKiB),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  return { params, salt: bytesOf(salt), hash: bytesOf(hash) }
}

/** Whether two hashes are equal, in a time that depends on their length alone. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0)
  return difference === 0
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}
