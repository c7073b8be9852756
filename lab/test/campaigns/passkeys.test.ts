import { createFullSotto, type PasskeyVerifier, type ReadPasskey } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import t from 'tap'
import { runPasskeysCampaign, type WithoutCheck } from '../../campaigns/passkeys/campaign.ts'

// Promise (The owner's pages): Tampered passkeys sign nobody in
t.test('no tampered passkey is accepted, and a library of others agrees', async (t) => {
  const { figures, violations } = await runPasskeysCampaign({ messages: 400 })
  t.strictSame(violations, [])
  t.ok(figures.messages >= 400)
  t.equal(figures.accepted, 0)
})

const reading =
  (change: Partial<ReadPasskey>): WithoutCheck =>
  ({ passkeyVerifier: real }) => ({ passkeyVerifier: { ...real, read: reads(real, change) } })

function reads(real: PasskeyVerifier, change: Partial<ReadPasskey>): PasskeyVerifier['read'] {
  return (...given) => {
    const read = real.read(...given)
    return read && { ...read, ...change }
  }
}

/** Each check left out, as if what it looks at were right; and what the campaign then lets through. */
const controls: Readonly<Record<string, readonly [WithoutCheck, accepted: RegExp]>> = {
  origin: [reading({ origin: 'https://sotto.example' }), /another origin: \d+ accepted/],
  crossOrigin: [reading({ isCrossOrigin: false }), /a frame of another origin: \d+ accepted/],
  relyingParty: [reading({ isForRelyingParty: true }), /another relying party: \d+ accepted/],
  userPresent: [reading({ isUserPresent: true }), /no user: \d+ accepted/],
  userVerified: [reading({ isUserVerified: true }), /an unverified user: \d+ accepted/],
  backupFlags: [reading({ isBackedUp: false }), /backed up, and cannot be: \d+ accepted/],
  type: [
    ({ passkeyVerifier: real }) => ({
      passkeyVerifier: {
        ...real,
        read: (sent, rpId) => {
          const read = real.read(sent, rpId)
          const type = read?.attested === undefined ? 'webauthn.get' : 'webauthn.create'
          return read && { ...read, type }
        },
      },
    }),
    /another type: \d+ accepted/,
  ],
  signature: [
    ({ passkeyVerifier: real }) => ({ passkeyVerifier: { ...real, isSigned: () => true } }),
    /signed by a stranger: \d+ accepted/,
  ],
  counter: [
    ({ passkeyVerifier: real, passkeys }) => ({
      passkeyVerifier: {
        ...real,
        read(sent, rpId) {
          const read = real.read(sent, rpId)
          return read && (read.attested === undefined ? { ...read, signCount: 4_000_000_000 } : read)
        },
      },
      passkeys: { ...passkeys, recordUse: () => okAsync(true) },
    }),
    /a counter that goes backwards: \d+ accepted/,
  ],
  challenge: [
    async (ports) => {
      const { beginPasskeySignIn } = createFullSotto({ ports })
      const valid = await Promise.all(
        Array.from({ length: 200 }, async () => expectOk(await beginPasskeySignIn())),
      )
      const { passkeyVerifier: real } = ports
      return {
        passkeyVerifier: {
          ...real,
          read(sent, rpId) {
            const read = real.read(sent, rpId)
            return read && (read.attested === undefined ? { ...read, challenge: valid.pop() ?? '' } : read)
          },
        },
      }
    },
    /another challenge: \d+ accepted/,
  ],
  used: [
    ({ usedTokens }) => ({ usedTokens: { ...usedTokens, use: () => okAsync(true) } }),
    /sent before: \d+ accepted/,
  ],
}

for (const [check, [withoutCheck, accepted]] of Object.entries(controls)) {
  t.test(`without the check of ${check} the campaign finds what is let through`, async (t) => {
    const { violations } = await runPasskeysCampaign({ messages: 60, withoutCheck })
    t.match(violations.join('\n'), accepted)
  })
}
