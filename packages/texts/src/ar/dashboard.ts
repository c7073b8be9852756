import type { DashboardTexts } from '../en/dashboard.ts'
import { account } from './account.ts'
import { common } from './common.ts'
import { files } from './files.ts'
import { notifications } from './notifications.ts'
import { passkeys } from './passkeys.ts'
import { requests } from './requests.ts'
import { secrets } from './secrets.ts'
import { singleSignOn } from './single-sign-on.ts'
import { webhooks } from './webhooks.ts'

export const dashboard: DashboardTexts = {
  common,
  account,
  files,
  notifications,
  webhooks,
  passkeys,
  secrets,
  requests,
  singleSignOn,
}
