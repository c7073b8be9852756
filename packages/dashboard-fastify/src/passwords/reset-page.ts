import {
  banner,
  inputField,
  type Page,
  pageScript,
  filled,
  markup,
  type Html,
  peeking,
  sendOnce,
} from '@sotto/html'
import { keepingLanguage } from '../shared/next-path.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { guestPage } from '../shared/layout.ts'

export interface ResetPageInput {
  /** The email address as it was typed before. */
  readonly email?: string | undefined
  readonly problems?: FieldProblems
  /** When somebody may ask again who asked too often. */
  readonly lockedForSeconds?: number | undefined
}

const path = '/login/reset'
const script = pageScript(sendOnce, peeking)

/** Where somebody who forgot a password asks for a one-time link. */
export function resetPage(localized: LocalizedDashboard, input: ResetPageInput): Page {
  const { passwords: reset, signIn, invitations: invitation } = localized.texts
  const { email, problems = {}, lockedForSeconds: locked } = input
  const main = markup`<h1>${invitation.resetHeading}</h1>
    ${locked !== undefined && banner('error', filled(reset.tooMany, { when: localized.fromNow(locked) }))}
    <p class="lead">${reset.lead}</p>
    <form method="post" action="${keepingLanguage(localized, path)}">
      ${inputField({
        name: 'email',
        type: 'email',
        label: signIn.email,
        value: email,
        autocomplete: 'username',
        isRequired: true,
        ...faults(problems, ['email'])('email'),
        hasFocus: true,
        attributes: markup`autocapitalize="none" spellcheck="false"`,
      })}
      <button type="submit">${reset.submit}</button>
    </form>
    ${wayBack(localized)}`
  return guestPage({ localized, title: invitation.resetHeading, main, hasForm: true, script, path })
}

/** The page where no mails are sent: it says whom to ask. */
export function operatorPage(localized: LocalizedDashboard): Page {
  const { passwords: reset, invitations: invitation } = localized.texts
  const { resetHeading: heading } = invitation
  const main = markup`<h1>${heading}</h1>
    <p class="lead">${reset.operator}</p>
    ${contactLine(localized)}
    ${wayBack(localized)}`
  return guestPage({ localized, title: heading, main, path })
}

function wayBack(localized: LocalizedDashboard): Html {
  const { heading } = localized.texts.signIn
  return markup`<p class="after"><a href="${keepingLanguage(localized, '/login')}">${heading}</a></p>`
}

/** How to reach the operator, where the installation says so. */
export function contactLine({ texts, brand }: LocalizedDashboard): Html | undefined {
  const { contact } = brand
  return contact && markup`<p>${filled(texts.passwords.contact, { contact })}</p>`
}
