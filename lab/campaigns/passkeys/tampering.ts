import type { SentAssertion } from '@sotto/identity'
import { randomBytes, randomInt } from 'node:crypto'
import { createSoftPasskey, type PasskeyCeremony, type TestPasskey } from '@sotto/test-kit'

/** A ceremony that a browser could have done, and what it may send. */
export interface Scene {
  readonly passkey: TestPasskey
  readonly ceremony: PasskeyCeremony & { readonly userHandle: string }
  /** An authenticator that nobody has registered. */
  readonly stranger: TestPasskey
}

type Part = 'clientData' | 'authenticatorData' | 'signature'
const parts: readonly Part[] = ['clientData', 'authenticatorData', 'signature']

/** The authenticator signs this, but it must not count. @simplewebauthn/server takes a frame of another origin. */
const ceremonies = {
  'another type': { type: 'webauthn.create' },
  'another origin': { origin: 'https://sotto.example.attacker.example' },
  'another port': { origin: 'https://sotto.example:8443' },
  'another challenge': { challenge: randomBytes(48).toString('base64url') },
  'another relying party': { rpId: 'example' },
  'no user': { isUserPresent: false },
  'an unverified user': { isUserVerified: false },
  'a frame of another origin': { crossOrigin: true },
  'backed up, and cannot be': { isBackedUp: true },
} as const satisfies Readonly<Record<string, Partial<PasskeyCeremony>>>

/** Tampered messages that signed somebody in would be a catastrophe. */
export const tamperings: Readonly<Record<string, (scene: Scene) => SentAssertion>> = {
  'a bit flipped': (scene) => change(used(scene), pick(parts), flipped),
  'cut off': (scene) =>
    change(used(scene), pick(parts), (bytes) => bytes.subarray(0, randomInt(bytes.length))),
  longer: (scene) =>
    change(used(scene), pick(parts), (bytes) => Buffer.concat([bytes, randomBytes(1 + randomInt(40))])),
  'random bytes': (scene) => change(used(scene), pick(parts), (bytes) => randomBytes(bytes.length)),
  empty: (scene) => change(used(scene), pick(parts), () => Buffer.alloc(0)),
  'a part of another use': (scene) => {
    const other = scene.passkey.used({ ...scene.ceremony, challenge: 'AAAA', signCount: 1_000 })
    const part = pick(parts)
    return { ...used(scene), [part]: other[part] }
  },
  'signed by a stranger': ({ stranger, ceremony, passkey }) => ({
    ...stranger.used(ceremony),
    credentialId: passkey.credentialId,
  }),
  'a stranger': ({ stranger, ceremony }) => stranger.used(ceremony),
  'a counter that goes backwards': ({ passkey, ceremony }) => passkey.used({ ...ceremony, signCount: 1 }),
  'a counter that stands still': ({ passkey, ceremony }) => passkey.used({ ...ceremony, signCount: 5 }),
  ...Object.fromEntries(
    Object.entries(ceremonies).map(([name, changes]) => [
      name,
      ({ passkey, ceremony }: Scene) => passkey.used({ ...ceremony, ...changes }),
    ]),
  ),
}

/** A scene whose passkey has the counter 5 so far, and sends 6. */
export function used({ passkey, ceremony }: Scene): SentAssertion {
  return passkey.used(ceremony)
}

export function strangerOf(): TestPasskey {
  return createSoftPasskey('ES256')
}

export function pick<T>(list: readonly T[]): T {
  return list[randomInt(list.length)] as T
}

function change(sent: SentAssertion, part: Part, how: (bytes: Buffer) => Buffer): SentAssertion {
  return { ...sent, [part]: how(Buffer.from(sent[part], 'base64url')).toString('base64url') }
}

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  const at = randomInt(bytes.length)
  changed[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8))
  return changed
}
