import type { Session, Uuid } from '@sotto/core'
import { badge } from '../../design/app-elements.ts'
import type { Page } from '../../design/document.ts'
import { timeElement } from '../../design/elements.ts'
import { filled, markup, type Html } from '../../design/html.ts'
import type { LocalizedDashboard } from '../texts/dashboard-texts.ts'
import { doneBanner, type Done } from './done.ts'
import { ownerPage } from './layout.ts'
import { settingsHead, settingsScript } from './settings-page.ts'

export interface SessionsInput {
  readonly sessions: readonly Session[]
  /** The session that asks. */
  readonly ownId: Uuid
  readonly done: Done | undefined
}

/** The browsers that are signed in. */
export function sessionsPage(localized: LocalizedDashboard, { sessions, ownId, done }: SessionsInput): Page {
  const texts = localized.texts.account.sessions
  const time = (micros: number) => ({ time: timeElement(localized, micros) })
  const row = ({ id, createdAtMicros, lastUsedAtMicros }: Session): Html => markup`<li>
      <div>${id === ownId ? badge(texts.thisOne, 'good') : markup`<strong>${texts.other}</strong>`}
      <p>${filled(texts.startedAt, time(createdAtMicros))} &middot; ${filled(texts.lastUsedAt, time(lastUsedAtMicros))}</p></div>
      <form method="post" action="/settings/sessions/${id}/end"><button type="submit" class="quiet danger">${texts.end}</button></form>
    </li>`
  const main = markup`${settingsHead(localized, 'sessions')}
    ${doneBanner(localized, done)}
    <p>${texts.lead}</p>
    <ul class="items">${sessions.map(row)}</ul>`
  return ownerPage({ localized, title: texts.heading, place: 'settings', main, script: settingsScript })
}
