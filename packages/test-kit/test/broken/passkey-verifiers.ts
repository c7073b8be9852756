import type { PasskeyVerifier } from '@sotto/identity'
import type { PasskeyVerifierHarness } from '@sotto/test-kit'
import { passkeyVerifierHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

export const brokenPasskeyVerifiers: readonly Broken<PasskeyVerifierHarness>[] = [
  verifier('takes every signature', ['passkey-verifier/verifies-signatures'], () => ({
    isSigned: () => true,
  })),
  verifier('takes users who are present for verified ones', ['passkey-verifier/reads-each-part'], (real) => ({
    read(...args) {
      const read = real.read(...args)
      return read && { ...read, isUserVerified: read.isUserPresent }
    },
  })),
]

function verifier(
  flaw: string,
  breaks: readonly string[],
  change: (real: PasskeyVerifier) => Partial<PasskeyVerifier>,
): Broken<PasskeyVerifierHarness> {
  return { flaw, breaks, harness: passkeyVerifierHarness((real) => ({ ...real, ...change(real) })) }
}
