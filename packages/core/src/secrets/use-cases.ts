import { defaultPolicy, requireBounds, type Policy } from '../policy.ts'
import { checkNewSecret } from './check-new-secret.ts'
import { createSecret } from './create-secret.ts'
import { getSecret, listSecrets } from './secrets.ts'
import { openSecret } from './open-secret.ts'
import { previewLink } from './preview-link.ts'
import { unlockSecret } from './unlock-secret.ts'
import { bindAll, list, result, type MethodsOf, type PortsOf } from '../shared/bind.ts'
import { accountAndId, pagesOfFolder, token } from '../shared/old-shapes.ts'
import { lifetime, newSecret } from './shapes.ts'

const useCases = {
  // The owner
  checkNewSecret: result(checkNewSecret, {
    accountId: 'string',
    folderId: 'string?',
    label: 'string?',
    note: 'string?',
    hasFiles: 'boolean?',
    isDraft: 'boolean?',
    openLimit: 'number?',
    notify: 'boolean?',
    password: 'string?',
    ...lifetime,
  }),
  createSecret: result(createSecret, { ...newSecret, ...lifetime }),
  getSecret: result(getSecret, accountAndId),
  listSecrets: list(listSecrets, pagesOfFolder),
  unlockSecret: result(unlockSecret, accountAndId),

  // The recipient
  previewLink: result(previewLink, token),
  openSecret: result(openSecret, {
    ...token,
    password: 'string?',
    formId: 'string?',
    proof: 'string?',
    isAbandoned: 'function?',
    onPasswordRefused: 'function?',
  }),
}

/** What this slice calls. */
export const secretsMethods: MethodsOf<typeof useCases> = {
  folders: { owns: true },
  secrets: { insert: true, find: true, page: true },
  links: { find: true, findWithNote: true, update: true },
  secretCipher: { encryptSecret: true, decryptHead: true, decryptNote: true },
  textCipher: { encryptText: true, decryptText: true, sealText: true },
  keyRing: { follow: true },
  digests: { makeLinkToken: true, linkLookup: true, opaqueTokenDigest: true },
  clock: { nowMicros: true },
  random: { bytes: true },
}

/** What {@link createSecrets} binds its use-cases to. */
export interface SecretsOptions {
  /** The methods that they call: 19. */
  readonly ports: PortsOf<typeof useCases>
  /** `defaultPolicy` by default. */
  readonly policy?: Pick<Policy, 'noteMaxBytes'> | undefined
}

/**
 * Secrets and their links: to create, get, list and unlock a secret, to preview and open a link. Accounts and folders are yours: any UUIDs
 * for which `folders.owns` is true. Throws a TypeError when a method of a port is missing, or the policy is not valid.
 */
export function createSecrets({ ports, policy = defaultPolicy }: SecretsOptions) {
  requireBounds(policy, ['noteMaxBytes'])
  return bindAll(useCases, secretsMethods, { ...ports, policy })
}
