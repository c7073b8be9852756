import type { PasskeyVerifier, SentAssertion, SentPasskey } from '@sotto/identity'
import assert from 'node:assert/strict'
import {
  caseOf,
  casesOf,
  contractOf,
  type ContractCase,
  type Harness,
  type Unit,
} from '../contract/contract.ts'
import type { PasskeyCeremony, TestPasskey } from './test-passkeys.ts'
import { same } from '../contract/compare.ts'

/** A verifier of passkeys, for its contract. */
export interface PasskeyVerifierUnderTest extends Unit {
  readonly verifier: PasskeyVerifier
  /** Passkeys whose messages it reads: one for each kind of key that it takes, two at least. */
  readonly passkeys: readonly [TestPasskey, TestPasskey, ...TestPasskey[]]
}

/** Makes the verifier that the contract is run on. */
export type PasskeyVerifierHarness = Harness<PasskeyVerifierUnderTest, never>

const ceremony = {
  challenge: 'AAECAwQFBgcICQoLDA0ODw',
  rpId: 'sotto.example',
  origin: 'https://sotto.example',
} as const satisfies PasskeyCeremony
const userHandle = 'b3duZXI'

/** The contract of the verifier of passkeys. */
export const passkeyVerifierContract: readonly ContractCase<PasskeyVerifierHarness>[] = contractOf(
  casesOf({
    'passkey-verifier/reads-a-passkey-that-was-made': caseOf({
      rule: 'read gives everything that was said when a passkey was made, with its id and its key.',
      check({ verifier, passkeys }: PasskeyVerifierUnderTest) {
        const keys = passkeys.map((passkey) => {
          const read = verifier.read(passkey.made({ ...ceremony, signCount: 7 }), ceremony.rpId)
          const { attested, credentialId, ...said } = read ?? assert.fail('it is not read')
          same(said, { ...saidOf('webauthn.create'), signCount: 7 })
          same(spelled(credentialId), passkey.credentialId)
          same(attested && spelled(attested.credentialId), passkey.credentialId)
          return spelled(attested?.publicKey ?? assert.fail('it has no key'))
        })
        same(new Set(keys).size, passkeys.length, 'how many keys differ')
      },
    }),
    'passkey-verifier/reads-a-passkey-that-was-used': caseOf({
      rule: 'read gives everything that was said when a passkey was used, without a key.',
      check({ verifier, passkeys }: PasskeyVerifierUnderTest) {
        for (const passkey of passkeys) {
          const used = passkey.used({ ...ceremony, userHandle, signCount: 4_294_967_295 })
          const { credentialId, ...said } =
            verifier.read(used, ceremony.rpId) ?? assert.fail('it is not read')
          same(said, { ...saidOf('webauthn.get'), signCount: 4_294_967_295, attested: undefined })
          same(spelled(credentialId), passkey.credentialId)
        }
      },
    }),
    'passkey-verifier/reads-each-part': caseOf({
      rule: 'read gives each part on its own: flags, type, origin, a frame of another origin, the relying party.',
      check({ verifier, passkeys: [passkey] }: PasskeyVerifierUnderTest) {
        const parts: readonly (readonly [Partial<PasskeyCeremony>, object])[] = [
          [{ isUserPresent: false }, { isUserPresent: false }],
          [{ isUserVerified: false }, { isUserVerified: false }],
          [{ isBackupEligible: true }, { isBackupEligible: true }],
          [{ isBackedUp: true }, { isBackedUp: true }],
          [{ type: 'payment.get' }, { type: 'payment.get' }],
          [{ origin: 'https://Sotto.example:8443' }, { origin: 'https://Sotto.example:8443' }],
          [{ challenge: 'another-challenge_1' }, { challenge: 'another-challenge_1' }],
          [{ crossOrigin: true }, { isCrossOrigin: true }],
          [{ topOrigin: 'https://example.org' }, { isCrossOrigin: true }],
          [{ rpId: 'example' }, { isForRelyingParty: false }],
          [{ rpId: 'Sotto.example' }, { isForRelyingParty: false }],
        ]
        for (const [part, changed] of parts) {
          const read = verifier.read(passkey.used({ ...ceremony, ...part, userHandle }), ceremony.rpId)
          const { credentialId: _, ...said } = read ?? assert.fail(`not read: ${JSON.stringify(part)}`)
          same(said, { ...saidOf('webauthn.get'), attested: undefined, ...changed })
        }
      },
    }),
    'passkey-verifier/refuses-what-cannot-be-read': caseOf({
      rule: 'read answers undefined when a part is empty, cut off, not base64url without padding, or no message at all.',
      check({ verifier, passkeys }: PasskeyVerifierUnderTest) {
        const names = ['credentialId', 'clientData', 'authenticatorData'] as const
        for (const sent of passkeys.map((passkey) => passkey.made(ceremony))) {
          for (const name of names) {
            for (const changed of unreadable(sent[name])) {
              same(
                verifier.read({ ...sent, [name]: changed }, ceremony.rpId),
                undefined,
                `${name}: ${changed}`,
              )
            }
          }
        }
      },
    }),
    'passkey-verifier/refuses-ids-of-other-lengths': caseOf({
      rule: 'read answers undefined for a credential id of fewer than 16 bytes or more than 1,023.',
      check({ verifier, passkeys: [passkey] }: PasskeyVerifierUnderTest) {
        const lengthOf = (length: number): number | undefined => {
          const credentialId = Buffer.alloc(length, 1).toString('base64url')
          const sent = { ...passkey.made(ceremony), credentialId }
          return verifier.read(sent, ceremony.rpId)?.credentialId.length
        }
        same([15, 16, 1_023, 1_024].map(lengthOf), [undefined, 16, 1_023, undefined])
      },
    }),
    'passkey-verifier/verifies-signatures': caseOf({
      rule: 'isSigned is true for what a passkey signed, and false for any other message, signature or key.',
      check({ verifier, passkeys }: PasskeyVerifierUnderTest) {
        for (const [at, passkey] of passkeys.entries()) {
          const key = keyOf(verifier, passkey.made(ceremony))
          const other = keyOf(verifier, (passkeys[at - 1] ?? passkeys[1]).made(ceremony))
          const used = passkey.used({ ...ceremony, userHandle, signCount: 1 })
          const later = passkey.used({ ...ceremony, userHandle, signCount: 2 })
          const elsewhere = passkey.used({
            ...ceremony,
            userHandle,
            signCount: 1,
            origin: 'https://example.org',
          })
          same(verifier.isSigned(used, key), true, 'as it was signed')
          same(
            verifier.isSigned({ ...used, signature: later.signature }, key),
            false,
            'the signature of a later use',
          )
          const { authenticatorData } = later
          same(verifier.isSigned({ ...used, authenticatorData }, key), false, 'other authenticator data')
          const { clientData } = elsewhere
          same(verifier.isSigned({ ...used, clientData }, key), false, 'other client data')
          same(verifier.isSigned(used, other), false, 'the key of another passkey')
        }
      },
    }),
    'passkey-verifier/verifies-nothing-that-cannot-be-read': caseOf({
      rule: 'isSigned is false, and does not throw, for a key or a part that cannot be read.',
      check({ verifier, passkeys }: PasskeyVerifierUnderTest) {
        const names = ['clientData', 'authenticatorData', 'signature'] as const
        for (const passkey of passkeys) {
          const key = keyOf(verifier, passkey.made(ceremony))
          const used = passkey.used({ ...ceremony, userHandle })
          for (const spoilt of [new Uint8Array(), key.slice(1), key.slice(0, -1), new Uint8Array(91)]) {
            same(verifier.isSigned(used, spoilt), false, 'a key that is none')
          }
          for (const name of names) {
            for (const changed of unreadable(used[name])) {
              const spoilt: SentAssertion = { ...used, [name]: changed }
              same(verifier.isSigned(spoilt, key), false, `${name}: ${changed}`)
            }
          }
        }
      },
    }),
  }),
)

function saidOf(type: string) {
  return {
    type,
    challenge: ceremony.challenge,
    origin: ceremony.origin,
    isCrossOrigin: false,
    isForRelyingParty: true,
    isUserPresent: true,
    isUserVerified: true,
    isBackupEligible: false,
    isBackedUp: false,
    signCount: 0,
  }
}

function keyOf(verifier: PasskeyVerifier, made: SentPasskey): Uint8Array {
  return verifier.read(made, ceremony.rpId)?.attested?.publicKey ?? assert.fail('it has no key')
}

/** A part that is spoilt. One character more or less is no base64url, or other bytes. */
function unreadable(part: string): readonly string[] {
  return [
    '',
    part.slice(0, 4),
    `${part.slice(0, -4)}=`,
    `${part}=`,
    ` ${part}`,
    `${part.slice(0, -1)}+`,
    'AAAA',
  ]
}

function spelled(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
