import { aBoolean, aString } from '@sotto/core/building-blocks'
import { useCase } from '../use-case.ts'
import { ssoRefused } from './errors.ts'

/**
 * Begins a sign-in at the identity provider.
 * @errors `identity_provider_unreachable`; `sso_refused` with the reason `not_set_up` where there is no provider
 */
export const beginSso = useCase({
  needs: ['identityProvider?.begin'],
  takes: {
    /** Where the provider sends the browser back to. */
    redirectUri: aString,
    /** Whether the person has to sign in at the provider once more: for a re-authentication. */
    fresh: aBoolean,
  },
  async run({ identityProvider }, { redirectUri, fresh }) {
    return identityProvider === undefined
      ? ssoRefused('not_set_up')
      : identityProvider.begin({ redirectUri, fresh })
  },
})
