import type { AccessToken } from '@sotto/identity'
import {
  badge,
  banner,
  checksField,
  emptyState,
  inputField,
  selectField,
  type Choice,
  type Page,
  copyBar,
  isolated,
  timeElement,
  filled,
  filledText,
  markup,
  type Html,
  secretStyle,
} from '@sotto/html'
import { reauthenticationField, type ReauthenticationNeed } from '../shared/reauthentication.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { Done } from '../shared/done.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { setting, settingsLayout } from '../shared/settings-layout.ts'

/** The lifetimes that the form offers, in days; 0 means that a token never expires. */
export const tokenDays = [30, 90, 365, 0] as const

const fieldOrder = ['name', 'scopes', 'expires', 'proof'] as const

export type TokenFieldName = (typeof fieldOrder)[number]

export interface TokensInput {
  readonly tokens: readonly AccessToken[]
  readonly nowMicros: number
  readonly reauthentication: ReauthenticationNeed | undefined
  readonly done: Done | undefined
  readonly values: { readonly name: string; readonly scopes: readonly string[]; readonly expires: string }
  readonly problems: FieldProblems<TokenFieldName>
}

/** The account's access tokens, and the form for a new one. */
export function tokensPage(localized: LocalizedDashboard, input: TokensInput): Page {
  const texts = localized.texts.accessTokens
  const { tokens, done } = input
  const list = tokens.length === 0 ? emptyState(texts.none) : tokenList(localized, input)
  const main = markup`${setting(texts.heading, texts.lead, list)}
    ${setting(texts.newHeading, undefined, newTokenForm(localized, input))}`
  return settingsLayout(localized, { place: 'tokens', title: texts.heading, main, done })
}

function tokenList(localized: LocalizedDashboard, { tokens, nowMicros }: TokensInput): Html {
  const texts = localized.texts.accessTokens
  const row = (token: AccessToken): Html => {
    const isOver = token.revokedAtMicros !== undefined || isExpired(token, nowMicros)
    return markup`<li>
      <div><strong>${isolated(token.name)}</strong>
      <p>${factsOf(localized, token, nowMicros)}</p></div>
      ${badge(localized.list(token.scopes))}
      ${!isOver && markup`<form method="get" action="/settings/tokens/${token.id}/revoke"><button type="submit" class="quiet danger">${texts.revoke}</button></form>`}
    </li>`
  }
  return markup`<ul class="items">${tokens.map(row)}</ul>`
}

function isExpired({ expiresAtMicros }: AccessToken, nowMicros: number): boolean {
  return expiresAtMicros !== undefined && expiresAtMicros <= nowMicros
}

function factsOf(localized: LocalizedDashboard, token: AccessToken, nowMicros: number): Html {
  const texts = localized.texts.accessTokens
  const { createdAtMicros, expiresAtMicros, revokedAtMicros, lastUsedAtMicros } = token
  const at = (wording: string, micros: number | undefined): Html | undefined =>
    micros === undefined
      ? undefined
      : markup` &middot; ${filled(wording, { time: timeElement(localized, micros) })}`
  const used =
    lastUsedAtMicros === undefined
      ? markup` &middot; ${texts.unused}`
      : at(texts.lastUsedAt, lastUsedAtMicros)
  const expires = at(isExpired(token, nowMicros) ? texts.expiredAt : texts.expiresAt, expiresAtMicros)
  const created = filled(texts.createdAt, { time: timeElement(localized, createdAtMicros) })
  return markup`${created}${used}${revokedAtMicros === undefined ? expires : at(texts.revokedAt, revokedAtMicros)}`
}

function newTokenForm(localized: LocalizedDashboard, input: TokensInput): Html {
  const texts = localized.texts.accessTokens
  const { values, problems, reauthentication } = input
  const fault = faults(problems, fieldOrder)
  return markup`<form method="post" action="/settings/tokens">
    ${inputField({ name: 'name', label: texts.name, hint: texts.nameHint, value: values.name, isRequired: true, ...fault('name') })}
    ${scopesField(localized, input)}
    ${selectField({ name: 'expires', label: texts.expires, choices: lifetimes(localized), chosen: values.expires, ...fault('expires') })}
    ${reauthenticationField({ reauthentication, problem: problems.proof, id: 'proof', hasFocus: fault('proof').hasFocus })}
    <button type="submit">${texts.create}</button>
  </form>`
}

function scopesField(localized: LocalizedDashboard, { values, problems }: TokensInput): Html {
  const texts = localized.texts.accessTokens
  const check = (name: 'read' | 'write') => ({
    name,
    label: texts[name],
    isChecked: values.scopes.includes(name),
  })
  const checks = [check('read'), check('write')] as const
  return checksField({ label: texts.scopes, checks, ...faults(problems, fieldOrder)('scopes') })
}

function lifetimes(localized: LocalizedDashboard): readonly Choice[] {
  const texts = localized.texts.accessTokens
  return tokenDays.map((days) => {
    const { wording, number } = localized.counted(texts.afterDays, days)
    return { value: String(days), text: days === 0 ? texts.never : filledText(wording, { count: number }) }
  })
}

/** A token that was just made: the only time that it is shown. */
export function newTokenPage(
  localized: LocalizedDashboard,
  { token, baseUrl }: { readonly token: string; readonly baseUrl: string },
): Page {
  const texts = localized.texts.accessTokens
  const { newHeading, copy, copyFailed } = texts
  const { copied } = localized.texts.secrets.secret
  const main = markup`${banner('success', texts.shownOnce)}
    <section class="panel">
      <h2>${newHeading}</h2>
      <p><code class="once" id="token" dir="ltr" translate="no">${token}</code></p>
      ${copyBar('token', { copy, copied, copyFailed }, 'main')}
      <h3>${texts.tryIt}</h3>
      <p><code class="once" dir="ltr" translate="no">curl -H 'Authorization: Bearer ${token}' ${baseUrl}/api/folders</code></p>
    </section>
    <p><a class="button secondary" href="/settings/tokens">${texts.finish}</a></p>`
  return settingsLayout(localized, { place: 'tokens', title: newHeading, main, sheets: [secretStyle] })
}
