import type { Passkey, PasskeyNotFound, SentPasskey } from '@sotto/identity'
import { err, ok, type Result } from 'neverthrow'
import type { ErrorOf } from '@sotto/core'
import { logCorruption, type FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardError, DashboardUseCases } from '../use-cases.ts'
import { redirect, show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { fieldProblems } from '../shared/fields.ts'
import { noticePage } from '../shared/notices.ts'
import { ownerButton, provenQuestion, type Question } from '../shared/owner-form.ts'
import { prove } from '../shared/reauthentication.ts'
import { auditPasskey, isPageTooOld } from './passkey-proof.ts'
import type { Router } from '../shared/router.ts'
import { idOf, named, type SessionVisit } from '../shared/visit.ts'
import type { Section, ShowAgain } from '../shared/sections.ts'
import { relyingPartyOf } from './relying-party.ts'
import { passkeysSection, type PasskeysInput } from './passkeys-section.ts'

type UseCases = Pick<DashboardUseCases, 'listPasskeys' | 'beginPasskey' | 'addPasskey' | 'deletePasskey'>

/** What the settings say about a form for passkeys that was refused. */
type PasskeysAgain = Partial<Pick<PasskeysInput, 'name' | 'problems' | 'notice'>>

export interface PasskeyRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  readonly baseUrl: string
  /** Shows the settings with the section that has the form again. */
  readonly showAgain: ShowAgain
}

/**
 * The section about passkeys of `/settings/sign-in`; none where browsers make no passkeys.
 * @param again what it says about a form that was refused
 */
export function passkeySection(
  { sotto, baseUrl }: Pick<PasskeyRoutesOptions, 'sotto' | 'baseUrl'>,
  again: PasskeysAgain = {},
): Section<SessionVisit> {
  const relyingParty = relyingPartyOf(baseUrl)
  return async ({ accountId, localized, request, session }, reauthentication) => {
    if (relyingParty === undefined) return ok(undefined)
    const listed = await sotto.listPasskeys({ accountId })
    if (listed.isErr()) return err(listed.error)
    const { items: passkeys, corrupted } = listed.value
    logCorruption(request.log, corrupted)
    const beginning = await sotto.beginPasskey({ accountId, sessionId: session.id })
    return beginning.map((beginning) => {
      const shown = { passkeys, corruptedCount: corrupted.length, relyingParty, reauthentication, beginning }
      return passkeysSection(localized, { ...shown, name: '', problems: {}, ...again })
    })
  }
}

/** The forms of `/settings/sign-in` about passkeys are posted to these paths. */
export function addPasskeyRoutes(options: PasskeyRoutesOptions): void {
  const { router, sotto, baseUrl } = options
  const rpId = relyingPartyOf(baseUrl)?.id
  router.session('/settings/sign-in/passkeys', { post: (visit, fields) => add(options, visit, fields) })
  router.session('/settings/sign-in/passkeys/:id/delete', {
    ...provenQuestion<SessionVisit>(
      (visit) => deletion(sotto, visit),
      ownerButton({
        run: (visit) => sotto.deletePasskey({ ...named(visit), sessionId: visit.session.id, rpId }),
        audit: ['passkey_deleted', 'passkey_id'],
        done: '/settings/sign-in?done=passkeyDeleted',
        explain({ localized }, { code }) {
          if (code !== 'last_way_in') return undefined
          const { deleteHeading: heading, last: lead } = localized.texts.passkeys
          return show(noticePage(localized, { heading, lead }), 409)
        },
      }),
    ),
    takesAccessAway: true,
  })
}

/** Adds a passkey. A form that asks for a proof has none yet: once its sender has proven who they are, it is shown again, and makes one. */
async function add(options: PasskeyRoutesOptions, visit: SessionVisit, fields: FormFields): Promise<Answer> {
  const { sotto, baseUrl, showAgain } = options
  const { accountId, localized, session } = visit
  const form = formOf(fields, ['name', 'made', 'proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const relyingParty = relyingPartyOf(baseUrl)
  if (relyingParty === undefined) return statusAnswer(localized, 404)
  const { name, made, proof } = form.value
  const section = (what: PasskeysAgain) => ({ passkeys: passkeySection(options, { name, ...what }) })
  const again = (what: PasskeysAgain, status: number) => showAgain(visit, section(what), status)
  const outcome = await prove(visit, fields)
  if (outcome !== undefined) {
    return 'kind' in outcome ? outcome : again({ problems: { proof: outcome.problem } }, outcome.status)
  }
  if (made === '') {
    return proof === ''
      ? again({ notice: 'notAdded' }, 400)
      : showAgain(provenVisit(visit), section({ notice: 'confirmed' }))
  }
  const added = await sotto.addPasskey({
    accountId,
    sessionId: session.id,
    name,
    made: sentPasskey(made),
    relyingParty,
  })
  if (added.isOk()) {
    audit(visit, 'passkey_added', { account_id: accountId, passkey_id: added.value.id })
    return redirect('/settings/sign-in?done=passkeyAdded')
  }
  const { error } = added
  switch (error.code) {
    case 'fields_invalid':
      return again({ problems: fieldProblems(localized, error.errors, { name: 'name' }) }, 400)
    case 'passkey_refused':
      auditPasskey(visit, { accountId, ...error })
      return again({ notice: isPageTooOld(error) ? 'expired' : 'notAdded' }, 400)
    case 'passkey_taken':
      return again({ notice: 'known' }, 409)
    case 'passkey_limit_reached':
      // The page itself says so, instead of the form.
      return again({}, 409)
    default:
      return errorAnswer(visit, error)
  }
}

/** What a form has of a passkey that was made, written as in `passkey-form.ts`. Whether the parts can be read is found out elsewhere. */
function sentPasskey(text: string): SentPasskey {
  const [credentialId = '', clientData = '', authenticatorData = ''] = text.split('.')
  return { credentialId, clientData, authenticatorData }
}

/** The visit of somebody who has just proven who they are, which the session of the request does not say yet. */
function provenVisit(visit: SessionVisit): SessionVisit {
  return { ...visit, session: { ...visit.session, reauthenticatedAtMicros: visit.nowMicros } }
}

async function findPasskey(
  sotto: UseCases,
  visit: SessionVisit,
): Promise<Result<Passkey, ErrorOf<UseCases['listPasskeys']> | PasskeyNotFound>> {
  const passkeys = await sotto.listPasskeys({ accountId: visit.accountId })
  if (passkeys.isErr()) return err(passkeys.error)
  const found = passkeys.value.items.find(({ id }) => id === idOf(visit))
  return found === undefined ? err({ code: 'passkey_not_found' }) : ok(found)
}

async function deletion(sotto: UseCases, visit: SessionVisit): Promise<Result<Question, DashboardError>> {
  const passkey = await findPasskey(sotto, visit)
  return passkey.map(({ id, name: label }) => {
    const { delete: button, deleteHeading: heading, deleteLead: lead } = visit.localized.texts.passkeys
    const action = `/settings/sign-in/passkeys/${id}/delete`
    return { heading, label, lead, action, button, back: '/settings/sign-in' }
  })
}
