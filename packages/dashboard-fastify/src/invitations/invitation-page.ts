import { accountPasswordMinCodePoints } from '@sotto/identity'
import { emailLocalPart, type InvitationKind } from '@sotto/core'
import {
  banner,
  inputField,
  passwordField,
  type FieldParts,
  type Page,
  pageScript,
  isolated,
  filled,
  filledText,
  markup,
  type Html,
  peeking,
  sendOnce,
} from '@sotto/html'
import { keepingLanguage } from '../shared/next-path.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { FieldProblems } from '../shared/fields.ts'
import { labelled } from '../shared/labelled.ts'
import { guestPage } from '../shared/layout.ts'

export interface InvitationPageInput {
  readonly token: string
  readonly kind: InvitationKind
  readonly email: string
  /** Whether the account is held: the link signs in once, and the password does not. */
  readonly isHeld: boolean
  /** The hosts of the webhooks that are removed. */
  readonly removedWebhookHosts: readonly string[]
  /** What recipients see; as it is, or as it was typed. */
  readonly name: string | undefined
  readonly problems: FieldProblems<'password' | 'name'>
}

const script = pageScript(sendOnce, peeking)

/** Where somebody with a one-time link chooses a password. */
export function invitationPage(localized: LocalizedDashboard, input: InvitationPageInput): Page {
  const texts = localized.texts.invitations
  const { token, kind, email, isHeld, removedWebhookHosts: hosts, problems } = input
  const heading = kind === 'invite' ? texts.inviteHeading : texts.resetHeading
  const { password: label } = localized.texts.signIn
  const path = `/welcome/${token}`
  const main = markup`<h1>${heading}</h1>
    ${kind === 'invite' && markup`<p class="lead">${filled(texts.invited, { name: localized.brand.name })}</p>`}
    <p class="lead">${filled(texts.forAccount, { email: isolated(email) })}</p>
    ${hosts.length > 0 && banner('warning', markup`${texts.removesWebhooks}${hosts.map(hostLine)}`)}
    ${isHeld && markup`<p>${localized.texts.singleSignOn.held}</p>`}
    <form method="post" action="${keepingLanguage(localized, path)}">
      <input type="email" name="email" value="${email}" autocomplete="username" hidden>
      ${newPasswordField(localized, { name: 'password', label, email, error: problems.password, hasFocus: problems.name === undefined })}
      ${kind === 'invite' && nameField(localized, input)}
      <button type="submit">${texts.submit}</button>
    </form>
    ${kind === 'reset' && markup`<p class="hint after">${texts.endsSessions}</p>`}
    ${
      localized.singleSignOn &&
      markup`<form class="after" method="post" action="${keepingLanguage(localized, `${path}/sso`)}">
      <button type="submit" class="secondary">${labelled(localized, localized.texts.singleSignOn.insteadOfPassword)}</button>
    </form>`
    }`
  const leadsTo = localized.singleSignOn?.formTargets
  return guestPage({ localized, title: heading, main, hasForm: true, leadsTo, script, path })
}

function nameField(localized: LocalizedDashboard, { name, problems }: InvitationPageInput): Html {
  const { accounts, secrets } = localized.texts
  const { field, hint } = accounts.yourName
  return inputField({
    name: 'name',
    label: markup`${field} <span class="soft">${secrets.fields.optional}</span>`,
    hint,
    value: name,
    autocomplete: 'name',
    error: problems.name,
    hasFocus: problems.name !== undefined && problems.password === undefined,
  })
}

function hostLine(host: string): Html {
  return markup`<br><bdi dir="ltr" translate="no">${host}</bdi>`
}

export interface NewPasswordParts extends Pick<FieldParts, 'name' | 'label' | 'error' | 'hasFocus'> {
  /** The account's email address, part of which the password must not contain. */
  readonly email: string | undefined
}

/** A field for a password that somebody chooses. */
export function newPasswordField(localized: LocalizedDashboard, { email, ...parts }: NewPasswordParts): Html {
  const { passwordHint, passwordWord } = localized.texts.invitations
  const { wording, number } = localized.counted(passwordHint, accountPasswordMinCodePoints)
  const word = email !== undefined && isolated(emailLocalPart(email))
  return passwordField({
    ...parts,
    autocomplete: 'new-password',
    hint: markup`${filledText(wording, { count: number })}${word && markup`<br>${filled(passwordWord, { word })}`}`,
    isRequired: true,
    show: localized.texts.common.showPassword,
    attributes: markup`minlength="${accountPasswordMinCodePoints}"`,
  })
}
