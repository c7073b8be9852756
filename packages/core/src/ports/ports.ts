import type { KeyRingAdmin, SecretCipher, TextCipher } from './cipher.ts'
import type { Clock } from './clock.ts'
import type { Digests } from './digests.ts'
import type { FileCipher } from './file-cipher.ts'
import type { FileStore } from './file-store.ts'
import type { PasskeyVerifier } from './passkey-verifier.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { QuotaStore } from './quota-store.ts'
import type { Random } from './random.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { MailSender, WebhookSender } from './senders.ts'
import type { Storage } from './storage.ts'

/**
 * Everything that use-cases need from outside, under the names by which they ask for it. Each use-case names the methods that it calls
 * ({@link PortMethods}), so an embedder of a few use-cases implements only those.
 */
export interface Ports extends Storage {
  readonly quota: QuotaStore
  readonly fileContents: FileStore
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly fileCipher: FileCipher
  readonly keyRing: KeyRingAdmin
  readonly digests: Digests
  /** Hashes the passwords of accounts. */
  readonly passwordHasher: PasswordHasher
  readonly passkeyVerifier: PasskeyVerifier
  /** Absent where no mails can be sent. */
  readonly mailSender?: MailSender | undefined
  /** Absent where nothing is posted to webhooks. */
  readonly webhookSender?: WebhookSender | undefined
  /** Absent where nobody signs in with single sign-on. */
  readonly identityProvider?: IdentityProvider | undefined
  readonly clock: Clock
  readonly random: Random
}

/** Which methods of which ports something calls, for example `{ secrets: 'find' | 'insert'; clock: 'nowMicros' }`. */
export type MethodNames = { readonly [Name in keyof Ports]?: keyof NonNullable<Ports[Name]> }

/** Ports with these methods only: what a use-case asks for. A port that may be absent may be absent here, too. */
export type PortMethods<Methods extends MethodNames> = {
  readonly [Name in keyof Ports as Name extends keyof Methods ? Name : never]:
    | Pick<NonNullable<Ports[Name]>, Methods[Name] & keyof NonNullable<Ports[Name]>>
    | Extract<Ports[Name], undefined>
}
