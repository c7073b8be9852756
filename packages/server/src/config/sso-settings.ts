import { parseAllowed } from '@sotto/identity'
import { brandingRules } from '@sotto/html'
import * as Type from 'typebox'
import type { StaticDecode } from 'typebox'
import { path, setting } from './setting-kinds.ts'
import { bothOrNeither, isLoopback, partsOf } from './setting-rules.ts'
import type { SsoFiles } from './sso-files.ts'

/** The settings of single sign-on. */
export const ssoSettings = {
  SOTTO_OIDC_ISSUER: Type.Optional(
    setting({
      derived: 'none: nobody signs in with an identity provider',
      takes:
        'the URL of an issuer that begins with https://, or with http:// on a loopback address: no query, no password',
      description:
        'The provider of OpenID Connect at which people can sign in, as its own metadata spell it, character by character. Needs ' +
        '`SOTTO_OIDC_CLIENT_ID`. The service starts whether the provider answers or not. See [sign-in.md](sign-in.md).',
      accepts: isIssuer,
      read: (text) => text,
    }),
  ),
  SOTTO_OIDC_CLIENT_ID: Type.Optional(
    setting({
      derived: 'none',
      takes: 'the name that the provider has given this service, in visible ASCII characters',
      description: 'How the provider knows this service. Needs `SOTTO_OIDC_ISSUER`.',
      accepts: (text) => /^[!-~]{1,255}$/.test(text),
      read: (text) => text,
    }),
  ),
  SOTTO_OIDC_CLIENT_SECRET_FILE: Type.Optional(
    path({
      derived: 'none: a public client, which PKCE protects',
      description:
        'The file with the secret that the provider has given this service. Only its owner may have access to it (mode 0600), or it is ' +
        '[mounted](install.md#secrets-in-files). A newline at its end does not belong to the secret.',
    }),
  ),
  SOTTO_OIDC_LABEL: Type.Optional(
    setting({
      derived: 'the host of `SOTTO_OIDC_ISSUER`',
      takes: 'a name of 1 to 40 visible characters, without spaces at either end',
      description: 'How the pages call the provider, such as on the button that signs in with it.',
      accepts: brandingRules.name,
      read: (text) => text,
    }),
  ),
  SOTTO_OIDC_SCOPES: setting({
    default: 'openid email profile',
    takes: 'scopes separated by spaces, openid among them',
    description:
      'What the provider is asked for. Some providers name groups only with a scope of their own, such as `groups`.',
    accepts: (text) => /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/.test(text) && text.split(' ').includes('openid'),
    read: (text) => text,
  }),
  SOTTO_OIDC_CA_FILE: Type.Optional(
    path({
      derived: 'the authorities that Node.js trusts',
      description: 'Certificates in PEM: the only authorities that are trusted to name the provider.',
    }),
  ),
  SOTTO_OIDC_ALLOW: setting({
    default: '',
    takes: 'entries group:NAME or domain:example.org separated by commas',
    description:
      'Who gets an account at the first sign-in with the provider: whoever is in one of the groups, or has a confirmed email address in one of ' +
      'the domains. Any entry suffices. Empty: nobody. Accounts that were made this way are held to it at every later sign-in.',
    accepts: (text) => partsOf(text).every((part) => parseAllowed(part) !== undefined),
    read: (text) => partsOf(text).flatMap((part) => parseAllowed(part) ?? []),
  }),
  SOTTO_OIDC_GROUPS_CLAIM: setting({
    default: 'groups',
    takes: 'the name of a claim',
    description:
      'The claim in which the provider lists the groups of a person: a list, or one text that is one group.',
    accepts: (text) => /^[!-~]{1,255}$/.test(text),
    read: (text) => text,
  }),
}

/** What `issuerError` of the adapter says nothing against. The adapter itself is loaded only where single sign-on is set up. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || /[?#\s]/.test(text) || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** The faults of settings that do not fit each other: a half of the provider, or settings with which nobody could sign in. */
export function ssoErrors(values: NodeJS.ProcessEnv): string[] {
  const isUseless = values['SOTTO_PASSWORD_SIGN_IN'] === 'false' && values['SOTTO_OIDC_ISSUER'] === undefined
  return [
    ...bothOrNeither(values, 'SOTTO_OIDC_ISSUER', 'SOTTO_OIDC_CLIENT_ID'),
    ...(isUseless ? ['SOTTO_PASSWORD_SIGN_IN=false needs SOTTO_OIDC_ISSUER: nobody could sign in'] : []),
  ]
}

/** The identity provider; `undefined` where there is none. `clientSecret` is confidential. */
export function singleSignOnOf(decoded: StaticDecode<Type.TObject<typeof ssoSettings>>, files: SsoFiles) {
  const { SOTTO_OIDC_ISSUER: issuer, SOTTO_OIDC_CLIENT_ID: clientId } = decoded
  if (issuer === undefined || clientId === undefined) return undefined
  return {
    issuer,
    clientId,
    label: decoded.SOTTO_OIDC_LABEL ?? new URL(issuer).host,
    scopes: decoded.SOTTO_OIDC_SCOPES,
    groupsClaim: decoded.SOTTO_OIDC_GROUPS_CLAIM,
    ...files,
  }
}
