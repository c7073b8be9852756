import {
  banner,
  inputField,
  passwordField,
  type Page,
  filled,
  markup,
  type Html,
  peeking,
  sendOnce,
} from '@sotto/html'
import { homePath, keepingLanguage, loginPath } from '../shared/next-path.ts'
import type { LocalizedDashboard } from '../shared/localized.ts'
import { guestPage } from '../shared/layout.ts'
import { scriptOf } from '../shared/scripts.ts'
import type { ShownWay } from '../shared/sign-in-way.ts'

export interface LoginPageInput {
  /** Where to go afterwards; a path of ours. */
  readonly next?: string | undefined
  /** The email address as it was typed before. */
  readonly email?: string | undefined
  readonly notice?: LoginNotice | undefined
  /** What one can sign in with besides the password. */
  readonly ways: readonly ShownWay[]
}

export type LoginNotice =
  | 'wrong'
  | 'crowded'
  | 'signedOut'
  | 'accountDeleted'
  | 'resetAsked'
  | 'toContinue'
  | 'api'
  | { readonly problem: string }
  | { readonly lockedForSeconds: number }

export function loginPage(localized: LocalizedDashboard, input: LoginPageInput): Page {
  const { next, email, notice, ways } = input
  const texts = localized.texts.signIn
  const hasPasswords = localized.singleSignOn?.hasPasswords !== false
  const offered = ways.flatMap(({ autocomplete }) => autocomplete ?? [])
  const at = (wanted: ShownWay['place']): readonly Html[] =>
    ways.filter(({ place }) => place === wanted).map(({ html }) => html)
  const form = markup`<form method="post" action="${keepingLanguage(localized, '/login')}">
      ${next !== undefined && markup`<input type="hidden" name="next" value="${next}">`}
      ${inputField({
        name: 'email',
        type: 'email',
        label: texts.email,
        value: email,
        autocomplete: ['username', ...offered].join(' '),
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
        show: localized.texts.common.showPassword,
      })}
      <button type="submit">${texts.submit}</button>
    </form>`
  const reset = markup`<p class="after"><a href="${keepingLanguage(localized, '/login/reset')}">${texts.forgot}</a></p>`
  const main = markup`<h1>${texts.heading}</h1>
    ${noticeOf(localized, notice)}
    ${at('above')}
    ${hasPasswords && form}
    ${at('below')}
    ${hasPasswords && reset}`
  const path = loginPath(next ?? homePath)
  return guestPage({
    localized,
    title: texts.heading,
    main,
    hasForm: true,
    script: scriptOf(localized, main, [sendOnce, peeking]),
    path,
  })
}

function noticeOf(localized: LocalizedDashboard, notice: LoginPageInput['notice']): Html | undefined {
  const texts = localized.texts.signIn
  switch (notice) {
    case undefined:
      return undefined
    case 'toContinue':
    case 'api':
      return markup`<p>${texts[notice]}</p>`
    case 'signedOut':
    case 'accountDeleted':
    case 'resetAsked':
      return banner('success', texts[notice])
    case 'wrong':
    case 'crowded':
      return banner('error', texts[notice])
    default:
      if ('problem' in notice) return banner('error', notice.problem)
      return banner('error', filled(texts.locked, { when: localized.fromNow(notice.lockedForSeconds) }))
  }
}
