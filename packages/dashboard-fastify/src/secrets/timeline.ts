import type { SecretOverview } from '@sotto/core'
import { dayElement, spanElement, filled, markup, type Html, type HtmlValue } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { isOpenable } from './secret-status.ts'

/** What happened to a secret and what is still to come, the latest first. */
export function timeline(localized: LocalizedDashboard, secret: SecretOverview, nowMicros: number): Html {
  const texts = localized.texts.secrets.timeline
  const { expiresAtMicros, lockedUntilMicros, isDisabled, openedAtMicros, opens, link } = secret
  const entry = (micros: number, text: HtmlValue, kind?: string): Html =>
    markup`<li${kind && markup` class="${kind}"`}>${text} ${dayElement(localized, micros, nowMicros)}</li>`
  const isOver = !isOpenable(secret)
  const end = { when: spanElement(localized, expiresAtMicros, nowMicros) }
  const earlier = localized.counted(texts.earlier, opens - openedAtMicros.length)
  return markup`<section>
    <h2>${texts.heading}</h2>
    <ol class="timeline">
      ${entry(expiresAtMicros, filled(isOver ? texts.removed : texts.deleted, end), 'coming')}
      ${lockedUntilMicros !== undefined && entry(lockedUntilMicros, texts.locked, 'coming urgent')}
      ${isDisabled && markup`<li class="urgent">${texts.disabled}</li>`}
      ${openedAtMicros.map((micros, at) => entry(micros, isOver && !isDisabled && at === 0 ? texts.openedLast : texts.opened))}
      ${opens > openedAtMicros.length && markup`<li>${filled(earlier.wording, { count: earlier.number })}</li>`}
      ${entry(link.createdAtMicros, texts.created)}
    </ol>
  </section>`
}
