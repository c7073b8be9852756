import type { Uuid } from '../shared/uuid.ts'
import { defaultPolicy, requireBounds, type Policy } from '../policy.ts'
import { anObject, objectOf } from '../shared/inputs.ts'
import { createAccount } from './create-account.ts'
import { rememberNotify, setLanguage } from './account-choices.ts'
import { deleteAccount, disableAccount } from './delete-account.ts'
import { ensureAccount } from './ensure-account.ts'
import { findAccount } from './find-account.ts'
import { getAccount } from './get-account.ts'
import { listAccounts } from './list-accounts.ts'
import { releaseAccount } from './release-account.ts'
import { setDisplayName } from './set-display-name.ts'
import { peekQuota, takeQuota, type QuotaBucket } from '../quota/take-quota.ts'
import { bindAll, list, result, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { account, email, pages } from '../shared/old-shapes.ts'

const ofAccount = objectOf<{ kind: string; accountId: Uuid }>({ kind: 'string', ...account })
const ofSession = objectOf<{ kind: string; sessionId: Uuid }>({ kind: 'string', sessionId: 'string' })
const ofAddress = objectOf<{ kind: string; address: string }>({ kind: 'string', address: 'string' })

function quotaBucket(value: unknown): value is QuotaBucket {
  switch (anObject<{ readonly kind?: unknown }>(value) && value.kind) {
    case 'account':
    case 'pages':
    case 'tests':
      return ofAccount(value)
    case 'session':
      return ofSession(value)
    case 'address':
      return ofAddress(value)
    default:
      return false
  }
}

const useCases = {
  takeQuota: result(takeQuota, { bucket: quotaBucket }),
  peekQuota: result(peekQuota, { bucket: quotaBucket }),
  createAccount: result(createAccount, email),
  ensureAccount: result(ensureAccount, { externalId: 'string' }),
  findAccount: result(findAccount, email),
  listAccounts: list(listAccounts, pages),
  getAccount: result(getAccount, account),
  setLanguage: result(setLanguage, { ...account, language: 'string?' }),
  setDisplayName: result(setDisplayName, { ...account, displayName: 'string?' }),
  rememberNotify: result(rememberNotify, { ...account, notify: 'boolean' }),
  deleteAccount: result(deleteAccount, account),
  disableAccount: result(disableAccount, account),
  releaseAccount: result(releaseAccount, account),
}

const methods: MethodsOf<typeof useCases> = {
  quota: { peek: true, take: true },
  digests: { addressBucket: true, accountIndexes: true },
  clock: { nowMicros: true },
  textCipher: { encryptText: true, decryptText: true },
  keyRing: { refresh: true, follow: true },
  accounts: {
    insert: true,
    findByName: true,
    page: true,
    find: true,
    setLanguage: true,
    setDisplayName: true,
    setNotifies: true,
    beginErasure: true,
    eraseBegun: true,
    disable: true,
    release: true,
  },
  random: { bytes: true },
}

/** What {@link createAccounts} binds its use-cases to. */
export interface AccountsOptions {
  readonly ports: PortsOf<typeof useCases>
  /** `defaultPolicy` by default. */
  readonly policy?: Pick<Policy, 'quota'> | undefined
}

/** Accounts, and the quota of each caller. Throws a TypeError when a method of a port is missing, or the policy is not valid. */
export function createAccounts({ ports, policy = defaultPolicy }: AccountsOptions) {
  requireBounds(policy, ['quota'])
  return bindAll(useCases, methods, { ...ports, policy })
}
