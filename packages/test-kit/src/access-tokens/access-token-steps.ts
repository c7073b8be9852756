import type { StoredAccessToken } from '@sotto/identity'
import fc from 'fast-check'
import { stepsOf } from '../stores/steps.ts'
import {
  aCursor,
  aDigest,
  aLimit,
  aText,
  aTime,
  anAccount,
  anExpiry,
  anId,
  perhaps,
} from '../stores/values.ts'

const token: fc.Arbitrary<StoredAccessToken> = fc.record({
  id: anId,
  accountId: anAccount,
  name: aText,
  scopes: fc.constantFrom(['read'], ['write'], ['read', 'write']),
  createdAtMicros: aTime,
  expiresAtMicros: perhaps(anExpiry),
  revokedAtMicros: fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, aTime),
  lastUsedAtMicros: perhaps(aTime),
})

/** What is tried on the store of access tokens. */
export const accessTokenSteps = stepsOf('accessTokens', {
  insert: [token, aDigest],
  findUsable: [aDigest, aTime],
  page: [anAccount, aCursor, aLimit],
  revoke: [anAccount, anId, aTime],
})
