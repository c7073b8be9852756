import {
  account,
  each,
  exportNeeds,
  exportParts,
  onePage,
  partsOf,
  webhooksOf,
  type ExportItem as ExportCoreItem,
} from '@sotto/core/building-blocks'
import { listAccessTokens } from '../access-tokens/access-tokens.ts'
import type { AccessToken } from '../access-tokens/access-token.ts'
import type { Identity } from '../authenticators/identity.ts'
import { listPasskeys } from '../passkeys/passkeys.ts'
import type { Passkey } from '../passkeys/passkey.ts'
import { listSessions } from '../sessions/sessions.ts'
import type { NamedSession } from '../sessions/session.ts'
import { listIdentities } from '../single-sign-on/identities.ts'
import { listCase } from '../use-case.ts'

/** One thing that is an account's: of the core, or with which its owner proves who they are. */
export type ExportItem =
  | ExportCoreItem
  | { readonly kind: 'access_token'; readonly item: AccessToken }
  | { readonly kind: 'session'; readonly item: NamedSession }
  | { readonly kind: 'identity'; readonly item: Identity }
  | { readonly kind: 'passkey'; readonly item: Passkey }

/**
 * The export of the core, with what is of identity before the webhooks, by kind in the order of {@link ExportItem}. Identities come
 * without their subjects, and passkeys without their keys.
 * @errors `account_not_found`; `hasher_busy`
 */
export const exportAccount = listCase({
  needs: [
    ...exportNeeds,
    ...listAccessTokens.needs,
    ...listSessions.needs,
    ...listIdentities.needs,
    ...listPasskeys.needs,
    'webhooks.list',
  ],
  takes: account,
  run(deps, { accountId }) {
    return exportParts<ExportItem>(deps, accountId, [
      ...partsOf(deps, accountId),
      each(listAccessTokens(deps, { accountId }), (item) => ({ kind: 'access_token' as const, item })),
      each(listSessions(deps, { accountId }), (item) => ({ kind: 'session' as const, item })),
      each(onePage(listIdentities(deps, { accountId })), (item) => ({ kind: 'identity' as const, item })),
      each(onePage(listPasskeys(deps, { accountId })), (item) => ({ kind: 'passkey' as const, item })),
      webhooksOf(deps, { accountId }),
    ])
  },
})
