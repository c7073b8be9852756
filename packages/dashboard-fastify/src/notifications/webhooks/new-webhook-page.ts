import { banner, type Page, copyBar, markup, secretStyle } from '@sotto/html'
import type { LocalizedDashboard } from '../../shared/localized.ts'
import { settingsLayout } from '../../shared/settings-layout.ts'
import { webhookAddress } from './webhooks-section.ts'

/** A webhook that was just made: the only time that its signing secret is shown. */
export function newWebhookPage(
  localized: LocalizedDashboard,
  { url, secret }: { readonly url: string; readonly secret: string },
): Page {
  const { webhooks } = localized.texts
  const { newWebhook: texts } = webhooks
  const { copied } = localized.texts.secrets.secret
  const { finish } = localized.texts.accessTokens
  const { copy, copyFailed } = texts
  const title = webhooks.addHeading
  const main = markup`${banner('success', texts.shownOnce)}
    <section class="panel">
      <h2>${title}</h2>
      <p>${webhookAddress(url)}</p>
      <p><code class="once" id="secret" dir="ltr" translate="no">${secret}</code></p>
      ${copyBar('secret', { copy, copied, copyFailed }, 'main')}
      <h3>${texts.useHeading}</h3>
      <p>${texts.useLead} ${texts.next}</p>
    </section>
    <p><a class="button secondary" href="/settings/notifications">${finish}</a></p>`
  return settingsLayout(localized, { place: 'notifications', title, main, sheets: [secretStyle] })
}
