import type { KeyRingAdmin } from '@sotto/core'
import { errAsync, okAsync, type ResultAsync } from 'neverthrow'

/** Stands for the key file that several processes read and write. Tests may change it in place. */
export interface FakeKeyFile {
  kids: readonly number[]
  activeKid: number
  /** What the next key will be called: no number is given twice. */
  nextKid: number
  /** While false, reading and writing it fails. */
  usable: boolean
}

/** One process's view of a key file: what it read last. */
export interface FakeKeyRing extends KeyRingAdmin {
  readonly file: FakeKeyFile
  /** Whether it holds this key; reads the file anew before it says no. */
  holds(kid: number): boolean
}

/** @param file shared with other rings; one of its own with the active key 1 without it */
export function createFakeKeyRing(
  file: FakeKeyFile = { kids: [1], activeKid: 1, nextKid: 2, usable: true },
): FakeKeyRing {
  let known = { kids: file.kids, activeKid: file.activeKid }
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
    activeKid: () => known.activeKid,
    kids: () => known.kids,
    checkValue: fakeCheckValue,
    holds(kid) {
      if (!known.kids.includes(kid)) refresh()
      return known.kids.includes(kid)
    },
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

/** What a database keeps of the fake key of this number. */
export function fakeCheckValue(kid: number): Uint8Array {
  return new TextEncoder().encode(`fake check value of key ${String(kid)}`)
}
