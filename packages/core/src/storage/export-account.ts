import { webhooksOf } from '../notifications/webhooks/account-webhooks.ts'
import { account } from '../shared/shapes.ts'
import { listCase } from '../shared/use-case.ts'
import { exportNeeds, exportParts, partsOf, type ExportItem } from './export-parts.ts'

/**
 * Everything that is an account's, by kind in the order of {@link ExportItem}. The notes of drafts are included, unless they have a password;
 * those of secrets never, because only opening a link reads them. Files come without their contents, and webhooks without their signing
 * secrets. Files of an erased secret are included until a sweep drops them. Corrupted rows are left out. A page has at most one draft, because
 * notes are long.
 * @errors `account_not_found`; `hasher_busy`
 */
export const exportAccount = listCase({
  needs: [...exportNeeds, 'webhooks.list'],
  takes: account,
  run(deps, { accountId }) {
    const parts = [...partsOf(deps, accountId), webhooksOf(deps, { accountId })]
    return exportParts<ExportItem>(deps, accountId, parts)
  },
})
