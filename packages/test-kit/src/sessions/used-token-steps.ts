import fc from 'fast-check'
import { stepsOf, untilNone } from '../stores/steps.ts'
import { aDigest, aLimit, aTime } from '../stores/values.ts'

/** What is tried on the store of used tokens. */
export const usedTokenSteps = stepsOf('usedTokens', {
  use: [fc.record({ digest: aDigest, eraseAtMicros: aTime })],
  eraseOver: untilNone(aTime, aLimit),
})
