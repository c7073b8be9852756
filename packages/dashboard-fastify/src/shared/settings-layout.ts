import {
  partNavigation,
  passwordField,
  type Page,
  pageScript,
  type Embedded,
  markup,
  type Html,
  type HtmlValue,
  copying,
  localTimes,
  peeking,
  sendOnce,
  badgeStyle,
  choiceStyle,
  settingsStyle,
} from '@sotto/html'
import type { ReauthenticationNeed } from './reauthentication.ts'
import type { LocalizedDashboard } from './localized.ts'
import { labelled } from './labelled.ts'
import { doneBanner, type Done } from './done.ts'
import { ownerPage } from './layout.ts'
import {
  hasPasskeys,
  makingPasskeys,
  passkeyBytes,
  passkeyRequest,
  usingPasskeys,
} from './passkey-request.ts'

/** The pages of the settings. */
export type SettingsPlace = 'account' | 'signIn' | 'tokens' | 'sessions' | 'notifications'

export interface SettingsLayoutParts {
  readonly place: SettingsPlace
  readonly title: string
  readonly main: Html
  /** What an action did. */
  readonly done?: Done | undefined
  readonly sheets?: readonly Embedded[]
}

const script = pageScript(localTimes, copying, sendOnce, peeking)
const passkeyScript = pageScript(
  ...[passkeyBytes, usingPasskeys, makingPasskeys],
  ...[localTimes, copying, sendOnce, peeking],
)

/** A page of the settings, with the way to each of them. */
export function settingsLayout(
  localized: LocalizedDashboard,
  { place, title, main, done, sheets = [] }: SettingsLayoutParts,
): Page {
  const { accounts, accessTokens, sessions, notifications } = localized.texts
  const { heading } = accounts.settings
  const item = (at: SettingsPlace, path: string, text: string) => ({ path, text, isCurrent: at === place })
  const items = [
    item('account', '/settings', accounts.settings.account),
    item('tokens', '/settings/tokens', accessTokens.heading),
    ...(localized.offersPasskeys === true || localized.singleSignOn !== undefined
      ? [item('signIn', '/settings/sign-in', signInHeading(localized))]
      : []),
    ...(localized.host === undefined ? [item('sessions', '/settings/sessions', sessions.heading)] : []),
    item('notifications', '/settings/notifications', notifications.heading),
  ]
  return ownerPage({
    localized,
    title,
    place: 'settings',
    main: markup`<div class="head"><h1>${heading}</h1></div>${partNavigation('tabs', heading, items)}
    ${doneBanner(localized, done)}
    ${main}`,
    script: hasPasskeys(main) ? passkeyScript : script,
    sheets: [choiceStyle, badgeStyle, settingsStyle, ...sheets],
  })
}

/** The heading of the page that says what an owner signs in with. */
export function signInHeading({ texts, singleSignOn }: LocalizedDashboard): string {
  return singleSignOn === undefined ? texts.passkeys.heading : texts.singleSignOn.heading
}

/** Something that can be set: what it is and what it does, and beside them the form or the list. */
export function setting(heading: string, lead: HtmlValue, content: HtmlValue): Html {
  return markup`<section class="setting">
    <div><h2>${heading}</h2>${lead !== undefined && markup`<p>${lead}</p>`}</div>
    <div>${content}</div>
  </section>`
}

export interface ReauthenticationParts {
  /** What a re-authentication asks for; nothing is asked for without it. */
  readonly reauthentication: ReauthenticationNeed | undefined
  readonly problem: string | undefined
  /** The id of the field, for pages with several forms. */
  readonly id: string
  /** The label of the field; `Password` by default. */
  readonly label?: string
  /** Whether the field has the focus; by default when something is wrong with it. */
  readonly hasFocus?: boolean
}

/** The password again, where it is needed, or a passkey instead. */
export function reauthenticationField(
  localized: LocalizedDashboard,
  parts: ReauthenticationParts,
): Html | undefined {
  const { settings } = localized.texts.accounts
  const { signIn } = localized.texts
  const { reauthentication, problem, id, label = signIn.password, hasFocus = problem !== undefined } = parts
  if (reauthentication === undefined) return undefined
  const { passkey, isByIdentity } = reauthentication
  const instead = passkey && passkeyRequest(localized, passkey, { field: 'proof', prefix: 'passkey:' })
  if (isByIdentity)
    return markup`<p class="hint">${labelled(localized, localized.texts.singleSignOn.proofHint)}</p>${instead}`
  const password = passwordField({
    name: 'proof',
    id,
    label,
    autocomplete: 'current-password',
    hint: settings.reauthenticationHint,
    error: problem,
    hasFocus,
    isRequired: true,
    show: localized.texts.common.showPassword,
  })
  return markup`${password}${instead}`
}
