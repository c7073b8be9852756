import type { NamedSession } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { badge, inputField, type Page, isolated, timeElement, filled, markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { Done } from '../shared/done.ts'
import { faults, type FieldProblems } from '../shared/fields.ts'
import { setting, settingsLayout } from '../shared/settings-layout.ts'

export interface SessionsInput {
  readonly sessions: readonly NamedSession[]
  /** The session that asks. */
  readonly ownId: Uuid
  readonly done: Done | undefined
  readonly refused?: RefusedName | undefined
}

/** A name that was refused, and for which session. */
export interface RefusedName {
  readonly id: Uuid
  readonly name: string
  readonly problems: FieldProblems<'name'>
}

/** The browsers that are signed in. */
export function sessionsPage(localized: LocalizedDashboard, input: SessionsInput): Page {
  const { sessions, ownId, done, refused } = input
  const { sessions: texts, accessTokens } = localized.texts
  const { lastUsedAt } = accessTokens
  const time = (micros: number) => ({ time: timeElement(localized, micros) })
  const row = (session: NamedSession): Html => {
    const { id, name, createdAtMicros, lastUsedAtMicros } = session
    const isOwn = id === ownId
    const title = name === undefined ? (isOwn ? undefined : texts.other) : isolated(name)
    return markup`<li>
      <div>${title && markup`<strong>${title}</strong> `}${isOwn && badge(texts.thisOne, 'good')}
      <p>${filled(texts.startedAt, time(createdAtMicros))} &middot; ${filled(lastUsedAt, time(lastUsedAtMicros))}</p></div>
      ${nameForm(localized, session, refused?.id === id ? refused : undefined)}
      <form method="post" action="/settings/sessions/${id}/end"><button type="submit" class="quiet danger">${texts.end}</button></form>
    </li>`
  }
  const list = markup`<ul class="items">${sessions.map(row)}</ul>`
  const main = setting(texts.heading, texts.lead, list)
  return settingsLayout(localized, { place: 'sessions', title: texts.heading, main, done })
}

/** The form for a session's name. It is closed until it is asked for, so that each session takes two or three lines. */
function nameForm(
  { texts }: LocalizedDashboard,
  { id, name }: NamedSession,
  refused: RefusedName | undefined,
): Html {
  const { accessTokens, sessions } = texts
  return markup`<details${refused && markup` open`}><summary class="quiet">${sessions.rename}</summary><form method="post" action="/settings/sessions/${id}/name">
    ${inputField({
      name: 'name',
      id: `name-${id}`,
      label: accessTokens.name,
      value: refused?.name ?? name,
      isRequired: true,
      ...faults(refused?.problems ?? {}, ['name'])('name'),
    })}
    <button type="submit" class="secondary">${texts.notifications.mails.save}</button>
  </form></details>`
}
