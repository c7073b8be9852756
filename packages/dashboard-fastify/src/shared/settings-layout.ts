import {
  partNavigation,
  type Page,
  type Embedded,
  markup,
  type Html,
  type HtmlValue,
  copying,
  localTimes,
  peeking,
  shownTab,
  sendOnce,
  badgeStyle,
  choiceStyle,
  settingsStyle,
} from '@sotto/html'
import type { LocalizedDashboard } from './localized.ts'
import { doneBanner, type Done } from './done.ts'
import { ownerPage } from './layout.ts'
import { scriptOf } from './scripts.ts'

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

/** A page of the settings, with the way to each of them. */
export function settingsLayout(
  localized: LocalizedDashboard,
  { place, title, main, done, sheets = [] }: SettingsLayoutParts,
): Page {
  const { accounts, accessTokens, singleSignOn, sessions, notifications } = localized.texts
  const { heading } = accounts.settings
  const item = (at: SettingsPlace, path: string, text: string) => ({ path, text, isCurrent: at === place })
  const items = [
    item('account', '/settings', accounts.settings.account),
    item('tokens', '/settings/tokens', accessTokens.heading),
    // An application that signs its users in has settings of its own for it.
    ...(localized.host === undefined
      ? [
          item('signIn', '/settings/sign-in', singleSignOn.heading),
          item('sessions', '/settings/sessions', sessions.heading),
        ]
      : []),
    item('notifications', '/settings/notifications', notifications.heading),
  ]
  return ownerPage({
    localized,
    title,
    place: 'settings',
    main: markup`<div class="head"><h1>${heading}</h1></div>${partNavigation('tabs', heading, items)}
    ${doneBanner(localized, done)}
    ${main}`,
    script: scriptOf(localized, main, [localTimes, copying, sendOnce, peeking, shownTab]),
    sheets: [choiceStyle, badgeStyle, settingsStyle, ...sheets],
  })
}

/** Something that can be set: what it is and what it does, and beside them the form or the list. */
export function setting(heading: string, lead: HtmlValue, content: HtmlValue): Html {
  return markup`<section class="setting">
    <div><h2>${heading}</h2>${lead !== undefined && markup`<p>${lead}</p>`}</div>
    <div>${content}</div>
  </section>`
}
