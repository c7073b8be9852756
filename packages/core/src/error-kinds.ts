import { accountErrorKinds } from './accounts/errors.ts'
import { draftErrorKinds } from './drafts/errors.ts'
import { fileErrorKinds } from './files/errors.ts'
import { folderErrorKinds } from './folders/errors.ts'
import { keyErrorKinds } from './keys/errors.ts'
import { mailErrorKinds } from './notifications/mails/errors.ts'
import { deliveryErrorKinds } from './notifications/queue/errors.ts'
import { webhookErrorKinds } from './notifications/webhooks/errors.ts'
import { quotaErrorKinds } from './quota/errors.ts'
import { requestErrorKinds } from './requests/errors.ts'
import { secretErrorKinds } from './secrets/errors.ts'
import { sharedErrorKinds } from './shared/errors.ts'

/** The kind of each error of the core, by its code. A code that is not here reaches no table of statuses, pages or texts: it does not compile. */
export const errorKinds = {
  ...sharedErrorKinds,
  ...accountErrorKinds,
  ...quotaErrorKinds,
  ...fileErrorKinds,
  ...secretErrorKinds,
  ...draftErrorKinds,
  ...requestErrorKinds,
  ...folderErrorKinds,
  ...deliveryErrorKinds,
  ...mailErrorKinds,
  ...webhookErrorKinds,
  ...keyErrorKinds,
}
