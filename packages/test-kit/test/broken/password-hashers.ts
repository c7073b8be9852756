import { type FakePasswordHasher, type PasswordHasherHarness } from '@sotto/test-kit'
import { fakePasswordHasherHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

export const brokenPasswordHashers: readonly Broken<PasswordHasherHarness>[] = [
  {
    flaw: 'computes SHA-256',
    breaks: ['password-hasher/is-argon2id'],
    harness: fakePasswordHasherHarness((real) => real, ['argon2id', 'close']),
  },
  hasher('hashes on when it is closed', ['password-hasher/closed-hasher-is-busy'], () => ({
    close: () => undefined,
  })),
]

function hasher(
  flaw: string,
  breaks: readonly string[],
  change: (real: FakePasswordHasher) => Partial<FakePasswordHasher>,
): Broken<PasswordHasherHarness> {
  return { flaw, breaks, harness: fakePasswordHasherHarness((real) => ({ ...real, ...change(real) })) }
}
