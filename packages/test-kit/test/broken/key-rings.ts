import type { CipherHarness, FakeKeyRing } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import { fakeCipherHarness } from '../harnesses.ts'
import { brokenCipher, type Broken } from './broken.ts'

export const brokenKeyRings: readonly Broken<CipherHarness>[] = [
  ring(
    'lists the latest key first',
    ['key-ring/has-an-active-key', 'key-ring/added-key-is-not-active'],
    ({ kids }) => ({
      kids: () => kids().toReversed(),
    }),
  ),
  ring('activates what it adds', ['key-ring/added-key-is-not-active'], ({ addKey, activate }) => ({
    addKey: () => addKey().andThen((kid) => activate(kid).map(() => kid)),
  })),
  ring('uses the kid of a removed key again', ['key-ring/kid-is-never-used-again'], ({ file, addKey }) => ({
    addKey() {
      file.nextKid = Math.max(...file.kids) + 1
      return addKey()
    },
  })),
  ring(
    'never goes back to an older key',
    ['key-ring/activate-changes-the-active-key'],
    ({ activate, activeKid }) => ({
      activate: (kid) => (kid < activeKid() ? okAsync(undefined) : activate(kid)),
    }),
  ),
  ring('removes no key', ['key-ring/removed-key-is-gone'], () => ({
    removeKey: () => okAsync(undefined),
  })),
  ring('answers an error for an unknown key', ['key-ring/removed-key-is-gone'], ({ kids, removeKey }) => ({
    removeKey: (kid) =>
      kids().includes(kid) ? removeKey(kid) : errAsync({ code: 'keys_unwritable', detail: 'no such key' }),
  })),
  ring(
    'has one check value for all keys',
    ['key-ring/check-values-differ-between-keys'],
    ({ checkValue }) => ({
      checkValue: () => checkValue(1),
    }),
  ),
  ring('has another check value each time', ['key-ring/check-values-differ-between-keys'], () => {
    let asked = 0
    return { checkValue: () => Uint8Array.of((asked += 1)) }
  }),
  {
    flaw: 'has its own keys in each process',
    breaks: ['key-ring/keys-are-shared'],
    harness: fakeCipherHarness({ beside: () => ({ kids: [7], activeKid: 7, nextKid: 8, usable: true }) }),
  },
  ring('reads its keys once', ['key-ring/unknown-key-is-read-again'], ({ kids }) => ({
    holds: (kid) => kids().includes(kid),
  })),
  ring('does not read its keys again', ['key-ring/refresh-sees-changes'], () => ({
    refresh: () => undefined,
  })),
  ring('throws when its keys cannot be read', ['key-ring/unusable-ring-stays-known'], ({ file }) => ({
    refresh() {
      if (!file.usable) throw new RangeError('unusable')
    },
  })),
  ring('does not wait for other processes', ['key-ring/settled-is-followed'], () => ({
    settled: () => Promise.resolve(),
  })),
  ring(
    'forgets its keys when they cannot be read',
    ['key-ring/unusable-ring-stays-known'],
    ({ file, kids }) => ({
      kids: () => (file.usable ? kids() : []),
    }),
  ),
  ring(
    'answers a kid without adding a key',
    ['key-ring/unusable-ring-is-not-changed'],
    ({ file, addKey }) => ({
      addKey: () => (file.usable ? addKey() : okAsync(9)),
    }),
  ),
]

/** Ciphers whose ring is changed in place, since they hold it. */
function ring(
  flaw: string,
  breaks: readonly string[],
  change: (ring: FakeKeyRing) => Partial<FakeKeyRing>,
): Broken<CipherHarness> {
  return brokenCipher(flaw, breaks, ({ keyRing }) => {
    Object.assign(keyRing, change({ ...keyRing }))
    return {}
  })
}
