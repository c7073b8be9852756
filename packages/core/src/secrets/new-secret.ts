import type { FieldError, NewSecretRule } from '../shared/errors.ts'
import {
  addError,
  countError,
  labelError,
  type RuleBroken,
  bounds,
  normalizePassword,
} from '../shared/fields.ts'
import { aBoolean, aNumber, aString, type InputOf, type None } from '../shared/inputs.ts'
import { lifetimeMaxSeconds } from './secret.ts'
import { hasLoneSurrogate, utf8ByteLength } from '../shared/text.ts'
import { isSealed, sealedNoteMaxBytes, sealedOf } from '../sealed/sealed-note.ts'

/** What a use-case takes that makes a secret or draft. */
export const newSecret = {
  takes: {
    /** 1 to 255 code points, nothing that people do not see. */
    label: aString,
    /**
     * The text: 1 byte to the installation's `noteMaxBytes` of UTF-8, stored exactly as given; no NUL, no lone surrogates. It may be empty where
     * there is a file.
     */
    note: aString,
    folderId: aString,
  },
  mayTake: {
    /** How often it can be opened, 1 to 1,000,000; without limit by default. */
    openLimit: aNumber,
    /** False by default. */
    notify: aBoolean,
    /** 1 to 1,024 bytes of UTF-8, no NUL, no lone surrogates. Without one, anybody who has the link can open it. */
    password: aString,
  },
} as const

/** What a new secret or draft consists of. */
export type NewSecret = InputOf<typeof newSecret.takes, typeof newSecret.mayTake>

/** What a use-case may take that makes a link. */
export const lifetime = {
  /** Whole seconds from when the link is made: 1 to 2,592,000, which are 30 days and the default. */
  lifetimeSeconds: aNumber,
} as const

/** How long the link of a secret works. */
export type LinkLifetime = InputOf<None, typeof lifetime>

/** What a check of a note may take. */
export const noteFiles = {
  /** Whether there is at least one file, so that the note may be empty. False by default. */
  hasFiles: aBoolean,
  /** Whether it is the note of a draft, which cannot be sealed. False by default. */
  isDraft: aBoolean,
} as const

/** What a note comes with. */
export type NoteFiles = InputOf<None, typeof noteFiles>

/** What is wrong with those fields that are given. Whether the folder exists is checked elsewhere. */
export function newSecretErrors(
  secret: Partial<NewSecret> & LinkLifetime & NoteFiles,
  noteMaxBytes: number,
): FieldError<NewSecretRule>[] {
  const { label, note, hasFiles = false, isDraft = false, openLimit, password, lifetimeSeconds } = secret
  const errors: FieldError<NewSecretRule>[] = []
  if (label !== undefined) addError(errors, 'label', labelError(label))
  if (note !== undefined && !(note === '' && hasFiles))
    addError(errors, 'note', noteError(note, noteMaxBytes, isDraft))
  if (openLimit !== undefined) addError(errors, 'openLimit', countError(openLimit, bounds.openLimitMax))
  if (password !== undefined) addError(errors, 'password', passwordError(password))
  if (lifetimeSeconds !== undefined) addError(errors, 'lifetimeSeconds', lifetimeError(lifetimeSeconds))
  return errors
}

function noteError(
  note: string,
  noteMaxBytes: number,
  isDraft: boolean,
): RuleBroken<NewSecretRule> | undefined {
  if (!isSealed(sealedOf(note))) return bytesError(note, noteMaxBytes)
  return isDraft ? { rule: 'sealed_draft' } : bytesError(note, sealedNoteMaxBytes(noteMaxBytes))
}

/** The rule that the lifetime of a link breaks; `undefined` when it breaks none. */
export function lifetimeError(lifetimeSeconds: number): RuleBroken<NewSecretRule> | undefined {
  return countError(lifetimeSeconds, lifetimeMaxSeconds)
}

/** The rule that a link's password breaks; `undefined` when it breaks none. */
export function passwordError(password: string): RuleBroken<NewSecretRule> | undefined {
  return bytesError(password, bounds.passwordMaxBytes)
}

function bytesError(text: string, limit: number): RuleBroken<NewSecretRule> | undefined {
  if (text === '') return { rule: 'empty' }
  if (hasLoneSurrogate(text)) return { rule: 'lone_surrogate' }
  if (text.includes('\0')) return { rule: 'nul_character' }
  // No UTF-16 unit takes more than three bytes, so most texts need no counting.
  if (text.length * 3 <= limit) return undefined
  return utf8ByteLength(text) > limit ? { rule: 'too_long', limit } : undefined
}

/** A character of n bytes in NFC is typed with 1.5 n code units at most. Longer texts are refused before they cost a normalisation. */
const typedPasswordMaxCodeUnits = 2 * bounds.passwordMaxBytes

/** Whether a password that somebody typed to sign in can be that of an account at all: no longer than any, and not empty. */
export function isPasswordToVerify(typed: string): boolean {
  return typed.length <= typedPasswordMaxCodeUnits && passwordError(normalizePassword(typed)) === undefined
}
