import t from 'tap'
import type { ReadPasskey } from '../../src/passkeys/passkey-verifier.ts'
import { assertionFault, isCounterFollowing, registrationFault } from '../../src/passkeys/passkey-rules.ts'

const relyingParty = { id: 'sotto.example', origin: 'https://sotto.example' }
const credentialId = new Uint8Array(16).fill(1)
const made: ReadPasskey = {
  credentialId,
  type: 'webauthn.create',
  challenge: 'AAAA',
  origin: 'https://sotto.example',
  isCrossOrigin: false,
  isForRelyingParty: true,
  isUserPresent: true,
  isUserVerified: true,
  isBackupEligible: false,
  isBackedUp: false,
  signCount: 0,
  attested: { credentialId: Uint8Array.from(credentialId), publicKey: new Uint8Array(91), algorithm: -7 },
}
const used: ReadPasskey = { ...made, type: 'webauthn.get', attested: undefined }

const changes: readonly (readonly [fault: string, change: Partial<ReadPasskey>])[] = [
  ['type', { type: 'payment.get' }],
  ['type', { type: '' }],
  ['origin', { origin: 'https://sotto.example:8443' }],
  ['origin', { origin: 'http://sotto.example' }],
  ['origin', { origin: 'https://login.sotto.example' }],
  ['origin', { origin: 'https://SOTTO.example' }],
  ['origin', { origin: 'https://sotto.example/' }],
  ['origin', { origin: 'https://sotto.example.attacker.example' }],
  ['origin', { origin: 'android:apk-key-hash:AAAA' }],
  ['cross_origin', { isCrossOrigin: true }],
  ['relying_party', { isForRelyingParty: false }],
  ['user_absent', { isUserPresent: false }],
  ['user_unverified', { isUserVerified: false }],
  ['backup_flags', { isBackedUp: true }],
]

t.test('a passkey is accepted if nothing about it is wrong', (t) => {
  for (const change of [{}, { isBackupEligible: true }, { isBackupEligible: true, isBackedUp: true }]) {
    t.equal(registrationFault({ ...made, ...change }, relyingParty), undefined)
    t.equal(assertionFault({ ...used, ...change }, relyingParty), undefined)
  }
  t.end()
})

// Promise (The owner's pages): A passkey proves nothing unless it was made or used on this service's own page, for it, by a user who was verified.
t.test('each thing that is wrong about a passkey is named, whether it was made or used', (t) => {
  for (const [fault, change] of changes) {
    t.equal(registrationFault({ ...made, ...change }, relyingParty), fault)
    t.equal(assertionFault({ ...used, ...change }, relyingParty), fault)
  }
  t.end()
})

t.test('one that was used is none that was made, and the other way round', (t) => {
  t.equal(registrationFault({ ...made, type: 'webauthn.get' }, relyingParty), 'type')
  t.equal(assertionFault({ ...used, type: 'webauthn.create' }, relyingParty), 'type')
  t.end()
})

t.test('one that was made has its own id in what its authenticator says', (t) => {
  const other = { publicKey: new Uint8Array(91), algorithm: -7, credentialId: new Uint8Array(16) }
  const longer = { ...other, credentialId: new Uint8Array(17).fill(1) }
  for (const attested of [undefined, other, longer])
    t.equal(registrationFault({ ...made, attested }, relyingParty), 'credential')
  t.end()
})

// Promise (The owner's pages): A passkey whose counter goes backwards or stands still is refused.
t.test('a counter grows, or there is none', (t) => {
  const pairs: readonly (readonly [stored: number, sent: number, follows: boolean])[] = [
    [0, 0, true],
    [0, 1, true],
    [7, 8, true],
    [7, 4_294_967_295, true],
    [7, 7, false],
    [7, 6, false],
    [7, 0, false],
    [4_294_967_295, 0, false],
  ]
  for (const [stored, sent, follows] of pairs)
    t.equal(isCounterFollowing(stored, sent), follows, `${String(sent)} after ${String(stored)}`)
  t.end()
})
