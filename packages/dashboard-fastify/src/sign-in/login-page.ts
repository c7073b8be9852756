import {
  banner,
  inputField,
  passwordField,
  type Page,
  pageScript,
  filled,
  markup,
  type Html,
  peeking,
  sendOnce,
} from '@sotto/html'
import { homePath, keepingLanguage, loginPath, withParameter } from '../shared/next-path.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { labelled } from '../shared/labelled.ts'
import { guestPage } from '../shared/layout.ts'
import {
  freshChallenge,
  passkeyBytes,
  passkeyRequest,
  usingPasskeys,
  type PasskeyRequest,
} from '../shared/passkey-request.ts'

export interface LoginPageInput {
  /** Where to go afterwards; a path of ours. */
  readonly next?: string | undefined
  /** The email address as it was typed before. */
  readonly email?: string | undefined
  readonly notice?: LoginNotice | undefined
  /** What a browser is asked for that may have a passkey; nothing where there are none. */
  readonly passkey?: PasskeyRequest | undefined
}

export type LoginNotice =
  | 'wrong'
  | 'crowded'
  | 'signedOut'
  | 'accountDeleted'
  | 'resetAsked'
  | 'toContinue'
  | 'api'
  | 'passkeyRefused'
  | 'passkeyExpired'
  | { readonly lockedForSeconds: number }

const script = pageScript(sendOnce, peeking)
const passkeyScript = pageScript(passkeyBytes, usingPasskeys, freshChallenge, sendOnce, peeking)

export function loginPage(localized: LocalizedDashboard, input: LoginPageInput): Page {
  const { next, email, notice, passkey } = input
  const texts = localized.texts.signIn
  const { singleSignOn } = localized
  const hasPasswords = singleSignOn?.hasPasswords !== false
  const form = markup`<form method="post" action="${keepingLanguage(localized, '/login')}">
      ${next !== undefined && markup`<input type="hidden" name="next" value="${next}">`}
      ${inputField({
        name: 'email',
        type: 'email',
        label: texts.email,
        value: email,
        autocomplete: passkey === undefined ? 'username' : 'username webauthn',
        isRequired: true,
        hasFocus: email === undefined,
        attributes: markup`autocapitalize="none" spellcheck="false"`,
      })}
      ${passwordField({
        name: 'password',
        label: texts.password,
        autocomplete: 'current-password',
        isRequired: true,
        hasFocus: email !== undefined,
        error: notice === 'wrong' ? texts.wrong : undefined,
        show: localized.texts.common.showPassword,
      })}
      <button type="submit">${texts.submit}</button>
    </form>`
  const reset = markup`<p class="after"><a href="${keepingLanguage(localized, '/login/reset')}">${texts.forgot}</a></p>`
  const main = markup`<h1>${texts.heading}</h1>
    ${noticeOf(localized, notice)}
    ${singleSignOn && ssoLink(localized, next)}
    ${hasPasswords && form}
    ${passkey !== undefined && passkeyForm(localized, passkey, next)}
    ${hasPasswords && reset}`
  const path = loginPath(next ?? homePath)
  return guestPage({
    localized,
    title: texts.heading,
    main,
    hasForm: true,
    script: passkey === undefined ? script : passkeyScript,
    path,
  })
}

/** The form for a passkey, apart from the other one, which needs an email address and a password. */
function passkeyForm(
  localized: LocalizedDashboard,
  passkey: PasskeyRequest,
  next: LoginPageInput['next'],
): Html {
  const freshPath = keepingLanguage(localized, loginPath(next ?? homePath))
  return markup`<form method="post" action="${keepingLanguage(localized, '/login/passkey')}" data-fresh="${freshPath}">
      ${next !== undefined && markup`<input type="hidden" name="next" value="${next}">`}
      ${passkeyRequest(localized, passkey, { field: 'passkey', isConditional: true })}
    </form>`
}

/** The link to the identity provider. It leads to another origin, and browsers would hold a form to the page's own. */
function ssoLink(localized: LocalizedDashboard, next: string | undefined): Html {
  const path = next === undefined ? '/login/sso' : withParameter('/login/sso', 'next', next)
  return markup`<p><a class="button${localized.singleSignOn?.hasPasswords !== false && ' secondary'}" href="${path}">${labelled(localized, localized.texts.singleSignOn.signInWith)}</a></p>`
}

function noticeOf(localized: LocalizedDashboard, notice: LoginPageInput['notice']): Html | undefined {
  const texts = localized.texts.signIn
  switch (notice) {
    case undefined:
    case 'wrong':
      return undefined
    case 'toContinue':
    case 'api':
      return markup`<p>${texts[notice]}</p>`
    case 'signedOut':
    case 'accountDeleted':
    case 'resetAsked':
      return banner('success', texts[notice])
    case 'crowded':
      return banner('error', texts[notice])
    case 'passkeyRefused':
      return banner('error', localized.texts.passkeys.refused)
    case 'passkeyExpired':
      return banner('error', localized.texts.passkeys.expired)
    default:
      return banner('error', filled(texts.locked, { when: localized.fromNow(notice.lockedForSeconds) }))
  }
}
