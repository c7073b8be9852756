import type { Leaf } from './leaf.ts'
import { passkeys } from './passkeys.ts'
import { requests } from './requests.ts'
import { singleSignOn } from './single-sign-on.ts'
import { webhooks } from './webhooks.ts'

/** What can be taken out. */
export const leaves: readonly Leaf[] = [requests, passkeys, singleSignOn, webhooks]
