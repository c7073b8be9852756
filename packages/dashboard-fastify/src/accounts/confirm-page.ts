import { type Page, pageScript, isolated, filled, markup, sendOnce } from '@sotto/html'
import { keepingLanguage } from '../shared/next-path.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { guestPage } from '../shared/layout.ts'

const script = pageScript(sendOnce)

/** Where an owner confirms a new email address. Opening the page changes nothing: mail programs open links, too. */
export function confirmPage(
  localized: LocalizedDashboard,
  { token, email }: { readonly token: string; readonly email: string },
): Page {
  const { heading, lead, submit } = localized.texts.accounts.confirm
  const path = `/confirm/${token}`
  const main = markup`<h1>${heading}</h1>
    <p class="lead">${filled(lead, { email: isolated(email) })}</p>
    <form method="post" action="${keepingLanguage(localized, path)}">
      <button type="submit">${submit}</button>
    </form>`
  return guestPage({ localized, title: heading, main, hasForm: true, script, path })
}
