import type { KeyRingAdmin, rotateKeys } from '@sotto/core'
import { ResultAsync } from 'neverthrow'

type RotationPorts = Parameters<typeof rotateKeys>[0]

/**
 * The ports of a rotation, with a callback before each access to the ring or the store: between any two accesses other processes may come
 * in, or the process may end.
 *
 * @param beforeStep awaited before each step that is asynchronous itself
 */
export function steppedRotation(
  ports: RotationPorts,
  beforeStep: () => Promise<void> | undefined,
): RotationPorts {
  const then = <T, E>(work: () => ResultAsync<T, E>): ResultAsync<T, E> =>
    new ResultAsync((async () => (await beforeStep(), await work()))())
  const { keyRing, keys, rewraps } = ports
  const steppedRing: KeyRingAdmin = {
    ...keyRing,
    addKey: () => then(() => keyRing.addKey()),
    activate: (kid) => then(() => keyRing.activate(kid)),
    removeKey: (kid) => then(() => keyRing.removeKey(kid)),
  }
  return {
    ...ports,
    keyRing: steppedRing,
    keys: {
      known: () => then(() => keys.known()),
      add: (key) => then(() => keys.add(key)),
      activate: (kid) => then(() => keys.activate(kid)),
    },
    rewraps: {
      texts: (...range) => then(() => rewraps.texts(...range)),
      replaceText: (...row) => then(() => rewraps.replaceText(...row)),
      secrets: (...range) => then(() => rewraps.secrets(...range)),
      replaceSecret: (...row) => then(() => rewraps.replaceSecret(...row)),
    },
  }
}
