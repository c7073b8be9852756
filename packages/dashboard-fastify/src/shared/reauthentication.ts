import { isReauthenticationFresh } from '@sotto/identity'
import type { SignInLocked } from '@sotto/core'
import { filledText, markup, type Html } from '@sotto/html'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { Answer } from './answers.ts'
import { audit } from './audit.ts'
import { statusAnswer } from './errors.ts'
import { formOf } from './form.ts'
import type { OwnerVisit, SessionVisit } from './visit.ts'

/** A way in which owners prove who they are. */
export interface Proof {
  /** What a form has for it; `undefined` where this owner cannot prove it so. */
  ask(visit: SessionVisit): Promise<ProofElement | undefined>
  /**
   * Proves who sends a form. `undefined` when the proof is none of this kind.
   * @param proof what the form has as `proof`; empty when it has nothing
   */
  prove(visit: SessionVisit, proof: string, fields: FormFields): Promise<ProofOutcome | undefined>
}

/** What a form has for a proof: of the fields only the first, and all buttons. */
export interface ProofElement {
  readonly kind: 'field' | 'button'
  readonly show: (parts: ProofParts) => Html
}

export interface ProofParts {
  /** What is wrong with what was typed. */
  readonly problem: string | undefined
  /** The id of the field, for pages with several forms. */
  readonly id: string
  /** The label of the field; `Password` by default. */
  readonly label?: string
  /** Whether the field has the focus; by default when something is wrong with it. */
  readonly hasFocus?: boolean
}

/** What a form has to ask for. */
export type ReauthenticationNeed = readonly ProofElement[]

/** `undefined` when a form has to ask for nothing. An application that signs its users in asks for a fresh re-authentication itself. */
export async function reauthenticationNeed({
  session,
  ...visit
}: OwnerVisit): Promise<ReauthenticationNeed | undefined> {
  if (session === undefined || isReauthenticationFresh(session, visit.nowMicros)) return undefined
  const asked = await Promise.all(visit.proofs.map((each) => each.ask({ ...visit, session })))
  const elements = asked.filter((each) => each !== undefined)
  const field = elements.find(({ kind }) => kind === 'field')
  return elements.filter((each) => each === field || each.kind === 'button')
}

export interface ReauthenticationParts extends ProofParts {
  /** What a re-authentication asks for; nothing is asked for without it. */
  readonly reauthentication: ReauthenticationNeed | undefined
}

/** The password again, where it is needed, or what the owner can prove instead. */
export function reauthenticationField({
  reauthentication,
  ...parts
}: ReauthenticationParts): Html | undefined {
  if (reauthentication === undefined) return undefined
  const shown = (wanted: ProofElement['kind']) =>
    reauthentication.filter(({ kind }) => kind === wanted).map(({ show }) => show(parts))
  return markup`${shown('field')}${shown('button')}`
}

/** That the owner is proven; what to say at the field for the password; or another answer. */
export type ProofOutcome = 'proven' | { readonly problem: string; readonly status: number } | Answer

/**
 * Proves who sends a form; called before everything that a stolen session must not do. `undefined` when the owner is proven.
 * @param fields of the form: it asks for the password, or for another proof, as `proof`
 */
export async function prove(
  { session, ...visit }: OwnerVisit,
  fields: FormFields,
): Promise<Exclude<ProofOutcome, 'proven'> | undefined> {
  if (session === undefined) return undefined
  const proof = fields.find(([name]) => name === 'proof')?.[1] ?? ''
  for (const each of visit.proofs) {
    const outcome = await each.prove({ ...visit, session }, proof, fields)
    if (outcome !== undefined) return outcome === 'proven' ? undefined : outcome
  }
  return statusAnswer(visit.localized, 403)
}

/** The outcome after too many failures. */
export function lockedProof(visit: SessionVisit, { reason, retryAfterSeconds }: SignInLocked): ProofOutcome {
  const { accountId, localized } = visit
  const { locked, crowded } = localized.texts.signIn
  audit(visit, 'sign_in_locked', { account_id: accountId })
  const when = localized.fromNow(retryAfterSeconds)
  return { problem: reason === 'wrong_passwords' ? filledText(locked, { when }) : crowded, status: 429 }
}

/** The answer when a form with nothing but the password proves no owner. @param again asks for the password once more */
export async function refusedReauthentication(
  visit: OwnerVisit,
  fields: FormFields,
  again: (problem: string, status: number) => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  const form = formOf(fields, ['proof'])
  if (form.isErr()) return statusAnswer(visit.localized, form.error.status)
  const outcome = await prove(visit, fields)
  if (outcome === undefined || 'kind' in outcome) return outcome
  return again(outcome.problem, outcome.status)
}
