import type { TextCipher } from '../shared/cipher.ts'
import type { KeyRingAdmin } from '../keys/key-ring-admin.ts'
import type { SecretCipher } from '../secrets/secret-cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Digests } from '../shared/digests.ts'
import type { FileCipher } from '../files/file-cipher.ts'
import type { FileStore } from '../files/file-store.ts'
import type { QuotaStore } from '../quota/quota-store.ts'
import type { Random } from '../shared/random.ts'
import type { MailSender } from '../notifications/queue/senders.ts'
import type { WebhookSender } from '../notifications/webhooks/webhook-sender.ts'
import type { Storage } from './storage.ts'

/**
 * Everything that use-cases need from outside, under the names by which they ask for it. Each use-case names the methods that it calls,
 * so an embedder of a few use-cases implements only those.
 */
export interface Ports extends Storage {
  readonly quota: QuotaStore
  readonly fileContents: FileStore
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly fileCipher: FileCipher
  readonly keyRing: KeyRingAdmin
  readonly digests: Digests
  /** Absent where no mails can be sent. */
  readonly mailSender?: MailSender | undefined
  /** Absent where nothing is posted to webhooks. */
  readonly webhookSender?: WebhookSender | undefined
  readonly clock: Clock
  readonly random: Random
}
