import type { DashboardTexts } from '../en/dashboard.ts'
import { accessTokens } from './access-tokens.ts'
import { accounts } from './accounts.ts'
import { common } from './common.ts'
import { drafts } from './drafts.ts'
import { files } from './files.ts'
import { folders } from './folders.ts'
import { invitations } from './invitations.ts'
import { notifications } from './notifications.ts'
import { passkeys } from './passkeys.ts'
import { passwords } from './passwords.ts'
import { requests } from './requests.ts'
import { sealed } from './sealed.ts'
import { secrets } from './secrets.ts'
import { sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { singleSignOn } from './single-sign-on.ts'
import { webhooks } from './webhooks.ts'

export const dashboard: DashboardTexts = {
  common,
  signIn,
  accessTokens,
  sessions,
  passwords,
  passkeys,
  singleSignOn,
  invitations,
  accounts,
  files,
  secrets,
  sealed,
  drafts,
  folders,
  requests,
  notifications,
  webhooks,
}
