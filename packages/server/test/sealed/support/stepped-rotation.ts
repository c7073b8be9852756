import type { KeyRingAdmin, RotationPorts } from '@sotto/core'
import { ResultAsync } from 'neverthrow'

/**
 * The ports of a rotation, with something that happens before each thing that they are asked for: the ring and the store are read and
 * written in steps, and between any two of them others may come, or the process may end.
 *
 * @param beforeStep is told which step comes, and waited for where the step itself is waited for
 */
export function steppedRotation(
  rotation: RotationPorts,
  beforeStep: (step: string) => Promise<void> | undefined,
): RotationPorts {
  const then = <T, E>(step: string, work: () => ResultAsync<T, E>): ResultAsync<T, E> =>
    new ResultAsync((async () => (await beforeStep(step), await work()))())
  const { keyRing, keys, rewraps } = rotation
  const steppedRing: KeyRingAdmin = {
    ...keyRing,
    addKey: () => then('addKey', () => keyRing.addKey()),
    activate: (kid) => then('activate', () => keyRing.activate(kid)),
    removeKey: (kid) => then('removeKey', () => keyRing.removeKey(kid)),
  }
  return {
    ...rotation,
    keyRing: steppedRing,
    keys: {
      list: () => then('list', () => keys.list()),
      add: (key) => then('add', () => keys.add(key)),
      retire: (kid) => then('retire', () => keys.retire(kid)),
    },
    rewraps: {
      texts: (...range) => then('texts', () => rewraps.texts(...range)),
      replaceText: (...row) => then('replaceText', () => rewraps.replaceText(...row)),
      secrets: (...range) => then('secrets', () => rewraps.secrets(...range)),
      replaceSecret: (...row) => then('replaceSecret', () => rewraps.replaceSecret(...row)),
    },
  }
}
