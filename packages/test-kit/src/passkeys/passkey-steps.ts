import type { StoredPasskey } from '@sotto/identity'
import fc from 'fast-check'
import { decided, stepsOf } from '../stores/steps.ts'
import { aDigest, aText, aTime, anAccount, anId, bytes, perhaps } from '../stores/values.ts'

const aCounter = fc.constantFrom(0, 0, 4, 5, 6, 2 ** 32 - 1)

const passkey: fc.Arbitrary<StoredPasskey> = fc.record({
  id: anId,
  accountId: anAccount,
  name: aText,
  rpId: fc.constantFrom('b.example', 'a.example', 'münchen.example'),
  credentialId: fc.constantFrom(bytes(1, 32), bytes(2, 1_023)),
  publicKey: fc.constantFrom(bytes(1, 91), bytes(2, 550)),
  algorithm: fc.constantFrom(-7, -257),
  counter: aCounter,
  createdAtMicros: aTime,
  lastUsedAtMicros: perhaps(aTime),
})

/** What is tried on the store of passkeys. */
export const passkeySteps = stepsOf('passkeys', {
  insert: [passkey, aDigest, fc.integer({ min: 1, max: 3 })],
  list: [anAccount],
  findByCredential: [aDigest],
  recordUse: [anId, aCounter, aTime],
  erase: [anAccount, anId, fc.record({ mayErase: decided(fc.boolean()), keepSessionId: perhaps(anId) })],
  hosts: [],
})
