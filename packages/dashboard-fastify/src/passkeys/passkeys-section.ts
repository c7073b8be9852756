import { passkeysMax, type Passkey, type PasskeyBeginning, type RelyingParty } from '@sotto/identity'
import { banner, inputField, isolated, timeElement, filled, filledText, markup, type Html } from '@sotto/html'
import { reauthenticationField, type ReauthenticationNeed } from '../shared/reauthentication.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { setting } from '../shared/settings-layout.ts'

const fieldOrder = ['name', 'proof'] as const

export type PasskeyFieldName = (typeof fieldOrder)[number]

export interface PasskeysInput {
  readonly passkeys: readonly Passkey[]
  /** How many more there are that cannot be read. */
  readonly corruptedCount: number
  readonly relyingParty: RelyingParty
  readonly beginning: PasskeyBeginning
  readonly reauthentication: ReauthenticationNeed | undefined
  /** What was typed as the name of a new passkey. */
  readonly name: string
  readonly problems: FieldProblems<PasskeyFieldName>
  /** What became of a form that was sent. */
  readonly notice?: 'confirmed' | 'known' | 'notAdded' | 'expired' | undefined
}

/** The account's passkeys, and the form for another one, which is hidden without a script. */
export function passkeysSection(localized: LocalizedDashboard, input: PasskeysInput): Html {
  const { passkeys: texts } = localized.texts
  const { passkeys, corruptedCount } = input
  const list =
    passkeys.length > 0 ? passkeyList(localized, input) : corruptedCount === 0 && markup`<p>${texts.none}</p>`
  return markup`${setting(texts.heading, texts.lead, [corruptedCount > 0 && banner('error', texts.corrupted), list])}
    ${newPasskey(localized, input)}`
}

function passkeyList(localized: LocalizedDashboard, { passkeys, relyingParty }: PasskeysInput): Html {
  const { passkeys: texts } = localized.texts
  const time = (micros: number) => ({ time: timeElement(localized, micros) })
  const row = ({ id, name, rpId, createdAtMicros, lastUsedAtMicros }: Passkey): Html => {
    const used = lastUsedAtMicros === undefined ? texts.unused : filled(texts.usedAt, time(lastUsedAtMicros))
    return markup`<li>
      <div><strong>${isolated(name)}</strong>
      <p>${filled(texts.addedAt, time(createdAtMicros))} &middot; ${used}</p>
      ${rpId !== relyingParty.id && markup`<p>${filledText(texts.otherHost, { host: rpId })}</p>`}</div>
      <form method="get" action="/settings/sign-in/passkeys/${id}/delete"><button type="submit" class="quiet danger">${texts.delete}</button></form>
    </li>`
  }
  return markup`<ul class="items">${passkeys.map(row)}</ul>`
}

/** The form for another passkey, unless there are as many as there may be; its script shows one or the other of its two parts. */
function newPasskey(localized: LocalizedDashboard, input: PasskeysInput): Html {
  const { passkeys: texts } = localized.texts
  const { passkeys, corruptedCount, name, problems, notice, reauthentication } = input
  if (passkeys.length + corruptedCount >= passkeysMax) {
    const limit = localized.number(passkeysMax)
    return setting(texts.add, filledText(texts.limitReached, { limit }), undefined)
  }
  const fault = faults(problems, fieldOrder)
  // The banner stands outside of the form: its script writes into the element with the role `status` within it.
  return markup`${notice !== undefined && banner(notice === 'confirmed' ? 'success' : 'error', texts[notice])}
    <form method="post" action="/settings/sign-in/passkeys" hidden data-new-passkey="${optionsOf(localized, input)}">${setting(
      texts.add,
      undefined,
      markup`<input type="hidden" name="made">
    ${inputField({
      name: 'name',
      label: localized.texts.accessTokens.name,
      hint: texts.nameHint,
      value: name,
      isRequired: true,
      ...fault('name'),
    })}
    ${reauthenticationField({ reauthentication, problem: problems.proof, id: 'proof', hasFocus: fault('proof').hasFocus })}
    <button type="submit">${texts.add}</button>
    <p role="status" class="hint" data-failed="${texts.notMade}" data-known="${texts.known}"></p>`,
    )}</form>
    <div hidden>${setting(texts.add, texts.noneHere, undefined)}</div>`
}

/** What the script makes a passkey of. */
function optionsOf({ brand }: LocalizedDashboard, { relyingParty, beginning }: PasskeysInput): string {
  const { challenge, userHandle, userName, known } = beginning
  const shown = userName === '' ? brand.name : userName
  return JSON.stringify({
    rp: { id: relyingParty.id, name: brand.name },
    user: { id: userHandle, name: shown, displayName: shown },
    challenge,
    known,
  })
}
