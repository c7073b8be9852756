import type { AccessTokenStore } from './access-token-store.ts'
import type { AccountStore } from './account-store.ts'
import type { KeyRing, KeyRingAdmin, SecretCipher, TextCipher } from './cipher.ts'
import type { Clock } from './clock.ts'
import type { Digests } from './digests.ts'
import type { FolderStore } from './folder-store.ts'
import type { KeyStore, RewrapStore } from './key-store.ts'
import type { LinkStore } from './link-store.ts'
import type { QuotaLimits, QuotaStore } from './quota-store.ts'
import type { Random } from './random.ts'
import type { DraftStore, SecretStore } from './secret-store.ts'

/** The bounds that an installation may set. */
export interface Limits {
  /** The largest note, in bytes of UTF-8. */
  readonly noteMaxBytes: number
  readonly quota: QuotaLimits
}

/**
 * Everything that the core asks of the world, by the names under which use-cases ask for it. Each use-case names the few of
 * them that it needs, so whoever embeds a single one hands over just those.
 */
export interface Ports {
  readonly accounts: AccountStore
  readonly folders: FolderStore
  readonly secrets: SecretStore
  readonly drafts: DraftStore
  readonly links: LinkStore
  readonly accessTokens: AccessTokenStore
  readonly quota: QuotaStore
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly keyRing: KeyRing
  readonly digests: Digests
  readonly clock: Clock
  readonly random: Random
  readonly limits: Limits
}

/** What the rotation of keys needs beside {@link Ports}. */
export interface RotationPorts extends Pick<Ports, 'textCipher' | 'secretCipher' | 'digests' | 'clock'> {
  readonly keyRing: KeyRingAdmin
  readonly keys: KeyStore
  readonly rewraps: RewrapStore
}
