import type { KeyRingAdmin, SecretCipher, TextCipher } from './cipher.ts'
import type { Clock } from './clock.ts'
import type { Digests } from './digests.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { QuotaStore } from './quota-store.ts'
import type { Random } from './random.ts'
import type { MailSender, WebhookSender } from './senders.ts'
import type { Storage } from './storage.ts'

/**
 * Everything that use-cases need from outside, under the names by which they ask for it. Each use-case names the few that it needs, so an
 * embedder of a single use-case passes only those.
 */
export interface Ports extends Storage {
  readonly quota: QuotaStore
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly keyRing: KeyRingAdmin
  readonly digests: Digests
  /** Hashes the passwords of accounts. */
  readonly passwordHasher: PasswordHasher
  /** Absent where no mails can be sent. */
  readonly mailSender?: MailSender | undefined
  /** Absent where nothing is posted to webhooks. */
  readonly webhookSender?: WebhookSender | undefined
  readonly clock: Clock
  readonly random: Random
}
