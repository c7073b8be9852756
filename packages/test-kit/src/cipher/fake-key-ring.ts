import type { KeyRingAdmin } from '@sotto/core'
import { errAsync, okAsync, type ResultAsync } from 'neverthrow'

/** A fake key file, which several processes can read and write. Tests may change it in place. */
export interface FakeKeyFile {
  kids: readonly number[]
  /** The kid of the key that is encrypted under. */
  activeKid: number
  /** The kid of the next key. No kid is used twice. */
  nextKid: number
  /** While false, the file can be neither read nor written. */
  usable: boolean
}

/** One process's view of a key file, as the process read it last. */
export interface FakeKeyRing extends KeyRingAdmin {
  readonly file: FakeKeyFile
  /** Whether the ring has the key. Reads the file again before it answers false. */
  holds(kid: number): boolean
  /** What another process of the same store sees, with this key file or another one. */
  beside(file?: FakeKeyFile): FakeKeyRing
}

/** What {@link createFakeKeyRing} takes. */
export interface FakeKeyRingOptions {
  /** Can be shared with other rings; a new one with the active key 1 by default. */
  readonly file?: FakeKeyFile
  /** The number of the key that is active in the store; that of the file by default. */
  readonly activeKid?: () => number | undefined
}

/** A key ring without a file, for tests. */
export function createFakeKeyRing({
  file = { kids: [1], activeKid: 1, nextKid: 2, usable: true },
  activeKid = () => undefined,
}: FakeKeyRingOptions = {}): FakeKeyRing {
  let known = { kids: file.kids, activeKid: file.activeKid }
  let used = 0
  const refresh = (): void => {
    if (file.usable) known = { kids: file.kids, activeKid: file.activeKid }
  }
  const change = <T>(work: () => T): ResultAsync<T, { code: 'keys_unwritable'; detail: string }> => {
    if (!file.usable) return errAsync({ code: 'keys_unwritable', detail: 'the fake key file is unusable' })
    const result = work()
    refresh()
    return okAsync(result)
  }
  return {
    file,
    refresh,
    follow() {
      refresh()
      used = activeKid() ?? 0
      return Promise.resolve()
    },
    activeKid: () => (used > known.activeKid && known.kids.includes(used) ? used : known.activeKid),
    kids: () => known.kids,
    checkValue: fakeCheckValue,
    holds(kid) {
      if (!known.kids.includes(kid)) refresh()
      return known.kids.includes(kid)
    },
    beside: (other = file) => createFakeKeyRing({ file: other, activeKid }),
    addKey: () =>
      change(() => {
        const kid = file.nextKid
        file.kids = [...file.kids, kid]
        file.nextKid += 1
        return kid
      }),
    activate: (kid) =>
      change(() => {
        file.activeKid = kid
      }),
    removeKey: (kid) =>
      change(() => {
        file.kids = file.kids.filter((each) => each !== kid)
      }),
  }
}

/** What a database stores of the fake key with this number. */
export function fakeCheckValue(kid: number): Uint8Array {
  return new TextEncoder().encode(`fake check value of key ${String(kid)}`)
}
