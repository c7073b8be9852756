import type { Identity } from '@sotto/identity'
import { emptyState, isolated, timeElement, filled, markup, type Html } from '@sotto/html'
import { reauthenticationField, type ReauthenticationNeed } from '../shared/reauthentication.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { labelled } from '../shared/labelled.ts'
import { setting } from '../shared/settings-layout.ts'

export interface IdentitiesInput {
  readonly identities: readonly Identity[]
  /** Whether the account is held; see `Account.isHeld`. */
  readonly isHeld: boolean
  readonly reauthentication: ReauthenticationNeed | undefined
  /** The problem of the password in the form that was refused. */
  readonly problem: string | undefined
}

/** The account's identities, and the form that connects another one. */
export function identitiesSection(localized: LocalizedDashboard, input: IdentitiesInput): Html {
  const { singleSignOn: texts } = localized.texts
  const { identities, isHeld, reauthentication, problem } = input
  const list =
    identities.length === 0
      ? emptyState({ heading: texts.none.heading, lead: labelled(localized, texts.none.lead) })
      : markup`<ul class="items">${identities.map((identity) => row(localized, identity))}</ul>`
  const form = markup`<form method="post" action="/settings/sign-in/connect">
      ${reauthenticationField({ reauthentication, problem, id: 'connect-proof' })}
      <button type="submit" class="secondary">${labelled(localized, texts.connect)}</button>
    </form>`
  return setting(
    texts.heading,
    labelled(localized, texts.lead),
    markup`${isHeld && markup`<p>${texts.held}</p>`}${list}${form}`,
  )
}

/** The label of the provider that is configured; for an identity of an earlier provider, the host of its issuer. */
export function identityName({ singleSignOn }: LocalizedDashboard, { issuer }: Identity): string {
  const { label } = singleSignOn?.issuer === issuer ? singleSignOn : { label: undefined }
  return label ?? URL.parse(issuer)?.host ?? issuer
}

function row(localized: LocalizedDashboard, identity: Identity): Html {
  const { singleSignOn: texts, accessTokens } = localized.texts
  const { id, createdAtMicros, lastUsedAtMicros, refusedAtMicros } = identity
  const at = (wording: string, micros: number): Html =>
    filled(wording, { time: timeElement(localized, micros) })
  const used =
    lastUsedAtMicros === undefined ? accessTokens.unused : at(accessTokens.lastUsedAt, lastUsedAtMicros)
  return markup`<li>
      <div><strong>${isolated(identityName(localized, identity))}</strong>
      <p>${at(texts.connectedAt, createdAtMicros)} &middot; ${used}${
        refusedAtMicros !== undefined && markup` &middot; ${at(texts.refusedAt, refusedAtMicros)}`
      }</p></div>
      <form method="get" action="/settings/sign-in/identities/${id}/disconnect"><button type="submit" class="quiet danger">${texts.disconnect}</button></form>
    </li>`
}
