import { createFullSotto, type FullPorts, type SentAssertion, type SentPasskey } from '@sotto/identity'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { passkeyVerifier } from '@sotto/adapter-node-crypto/passkeys'
import {
  createMemoryPorts,
  createSoftPasskey,
  expectOk,
  type MemoryPorts,
  type PasskeyCeremony,
  type TestPasskey,
} from '@sotto/test-kit'
import { pick, strangerOf, tamperings, used, type Scene } from './tampering.ts'

const relyingParty = { id: 'sotto.example', origin: 'https://sotto.example' } as const
const where = { rpId: relyingParty.id, origin: relyingParty.origin }
const sessionId = '0190f3a0-0000-7000-8000-000000000000'
const keyCounter = 5

/** A check that is left out, to show that the campaign notices it. */
export type WithoutCheck = (ports: MemoryPorts) => Partial<FullPorts> | Promise<Partial<FullPorts>>

export interface PasskeysCampaignOptions {
  readonly messages: number
  readonly withoutCheck?: WithoutCheck
}

interface Kind {
  sent: number
  accepted: number
  /** How often @simplewebauthn/server accepted it. */
  acceptedByPeer: number
}

/** The peer does not look at the frame, and takes several spellings of one signature in DER. */
const peerTakes: ReadonlySet<string> = new Set(['a frame of another origin', 'longer', 'a bit flipped'])

/** Signs in with real and with tampered passkeys of each algorithm. */
export async function runPasskeysCampaign({ messages, withoutCheck }: PasskeysCampaignOptions) {
  const world = await openWorld(withoutCheck)
  const kinds: Record<string, Kind> = {}
  const violations: string[] = []
  const note = (name: string, isAccepted: boolean, byPeer: boolean): void => {
    const kind = (kinds[name] ??= { sent: 0, accepted: 0, acceptedByPeer: 0 })
    kind.sent += 1
    if (isAccepted) kind.accepted += 1
    if (byPeer) kind.acceptedByPeer += 1
  }
  for (const { name, isAccepted, byPeer } of await tamperedRegistrations(world))
    note(name, isAccepted, byPeer)
  const names = Object.keys(tamperings)
  for (let nr = 0; nr < messages; nr += 1) {
    const scene = await world.scene(nr)
    const name = nr < names.length ? (names[nr] ?? '') : pick(names)
    const sent = tamperings[name]?.(scene) ?? used(scene)
    note(name, await world.signsIn(sent, nr), await world.peerSignsIn(sent, scene))
    if (nr % 50 !== 0) continue
    const fresh = await world.scene(nr / 50)
    const right = used(fresh)
    if (!(await world.peerSignsIn(right, fresh))) violations.push('the peer refuses an honest message')
    if (!(await world.signsIn(right, nr))) violations.push('an honest message is refused')
    // This authenticator does not count. The peer leaves it to its caller that a challenge is used once.
    const uncounted = await world.uncounted()
    if (!(await world.signsIn(uncounted, nr)))
      violations.push('an honest message without a counter is refused')
    note('sent before', await world.signsIn(uncounted, nr), false)
  }
  for (const [name, { accepted, acceptedByPeer }] of Object.entries(kinds)) {
    if (accepted > 0) violations.push(`${name}: ${String(accepted)} accepted`)
    if (acceptedByPeer > 0 && !peerTakes.has(name))
      violations.push(`${name}: the peer accepts ${String(acceptedByPeer)}`)
  }
  const all = Object.values(kinds)
  const figures = {
    messages: all.reduce((sum, { sent }) => sum + sent, 0),
    accepted: all.reduce((sum, { accepted }) => sum + accepted, 0),
    kinds,
  }
  return { figures, violations }
}

async function openWorld(withoutCheck: WithoutCheck = () => ({})) {
  const memory = { ...createMemoryPorts(), passkeyVerifier }
  const sotto = createFullSotto({ ports: { ...memory, ...(await withoutCheck(memory)) } })
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'ada@example.org' }))
  const userHandle = Buffer.from(accountId).toString('base64url')
  const stranger = strangerOf()
  const add = async (made: (challenge: string) => SentPasskey, name = 'Key') => {
    const { challenge } = expectOk(await sotto.beginPasskey({ accountId, sessionId }))
    return sotto.addPasskey({ accountId, sessionId, name, made: made(challenge), relyingParty })
  }
  const algorithms = ['ES256', 'EdDSA', 'RS256'] as const
  const passkeys: { readonly passkey: TestPasskey; readonly publicKey: Uint8Array<ArrayBuffer> }[] = []
  for (const passkey of algorithms.map((algorithm) => createSoftPasskey(algorithm))) {
    const ceremony = { ...where, challenge: 'AAAA', signCount: keyCounter }
    const peer = await registeredByPeer(passkey.made(ceremony), ceremony)
    expectOk(await add((challenge) => passkey.made({ ...ceremony, challenge })))
    if (peer === undefined) throw new Error('the peer refuses an honest passkey')
    passkeys.push({ passkey, publicKey: peer })
  }
  const quiet = createSoftPasskey('ES256')
  expectOk(await add((challenge) => quiet.made({ ...where, challenge })))
  const counterOf = async (credentialId: string): Promise<number> => {
    const all = expectOk(await memory.passkeys.list(accountId))
    const stored = all.find((each) => Buffer.from(each.credentialId).toString('base64url') === credentialId)
    return stored?.counter ?? 0
  }
  return {
    add,
    async scene(nr: number): Promise<Scene> {
      const { passkey } = passkeys[nr % passkeys.length] ?? pick(passkeys)
      const challenge = expectOk(await sotto.beginPasskeySignIn())
      const signCount = (await counterOf(passkey.credentialId)) + 1
      return { passkey, stranger, ceremony: { ...where, challenge, signCount, userHandle } }
    },
    async uncounted(): Promise<SentAssertion> {
      return quiet.used({ ...where, challenge: expectOk(await sotto.beginPasskeySignIn()), userHandle })
    },
    /** Each from an address of its own: otherwise the first twenty would lock it. */
    async signsIn(assertion: SentAssertion, nr: number): Promise<boolean> {
      return (await sotto.signInWithPasskey({ assertion, relyingParty, address: String(nr) })).isOk()
    },
    async peerSignsIn(sent: SentAssertion, { passkey, ceremony }: Scene): Promise<boolean> {
      const known = passkeys.find((each) => each.passkey === passkey)
      if (known === undefined || sent.credentialId !== passkey.credentialId) return false
      const { credentialId: id, clientData, userHandle, ...response } = sent
      try {
        const { verified } = await verifyAuthenticationResponse({
          response: {
            id,
            rawId: id,
            type: 'public-key',
            clientExtensionResults: {},
            response: { ...response, clientDataJSON: clientData, userHandle },
          },
          expectedChallenge: ceremony.challenge,
          expectedOrigin: relyingParty.origin,
          expectedRPID: relyingParty.id,
          requireUserVerification: true,
          credential: { id, publicKey: known.publicKey, counter: (ceremony.signCount ?? 1) - 1 },
        })
        return verified
      } catch {
        return false
      }
    },
  }
}

type OpenWorld = Awaited<ReturnType<typeof openWorld>>

const registrations: Readonly<Record<string, Partial<PasskeyCeremony>>> = {
  'made: another type': { type: 'webauthn.get' },
  'made: another origin': { origin: 'https://example.org' },
  'made: another challenge': { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' },
  'made: another relying party': { rpId: 'example.org' },
  'made: no user': { isUserPresent: false },
  'made: an unverified user': { isUserVerified: false },
  'made: backed up, and cannot be': { isBackedUp: true },
}

/** What was made is not signed, so only what a browser and its user vouch for can be checked. */
async function tamperedRegistrations({ add }: OpenWorld) {
  const tried: { name: string; isAccepted: boolean; byPeer: boolean }[] = []
  for (const [name, change] of Object.entries(registrations)) {
    for (let nr = 0; nr < 5; nr += 1) {
      const passkey = strangerOf()
      const ceremony = { ...where, challenge: 'BBBB' }
      const isAccepted = (await add((challenge) => passkey.made({ ...where, challenge, ...change }))).isOk()
      const byPeer =
        (await registeredByPeer(passkey.made({ ...ceremony, ...change }), ceremony)) !== undefined
      tried.push({ name, isAccepted, byPeer })
    }
  }
  const [one, other] = [strangerOf(), strangerOf()]
  const swapped = await add((challenge) => ({
    ...one.made({ ...where, challenge }),
    credentialId: other.credentialId,
  }))
  tried.push({ name: 'made: another id', isAccepted: swapped.isOk(), byPeer: false })
  return tried
}

/** The key as the peer keeps it; `undefined` when it refuses. It takes an attestation object, here one without attestation. */
async function registeredByPeer(
  { credentialId: id, clientData, authenticatorData }: SentPasskey,
  { challenge }: Pick<PasskeyCeremony, 'challenge'>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const data = Buffer.from(authenticatorData, 'base64url')
  const head = Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174615900', 'hex')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length)
  const attestationObject = Buffer.concat([head.subarray(0, -1), length, data]).toString('base64url')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientData, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
    })
    return verified ? registrationInfo.credential.publicKey : undefined
  } catch {
    return undefined
  }
}
