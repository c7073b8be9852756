import { err, ok } from 'neverthrow'
import { aString } from '../shared/inputs.ts'
import { useCase } from '../shared/use-case.ts'
import { forgottenAfterMicros, newestHeld, unfitToServe } from './key-ring.ts'

/** Shows that a server with a key file of its own runs, and which keys it holds: no key becomes active that it lacks. Every few seconds. */
export const showServer = useCase({
  needs: [
    'keyRing.refresh',
    'keyRing.kids',
    'keyRing.checkValue',
    'keys.known',
    'servers.show',
    'clock.nowMicros',
  ],
  takes: {
    /** A random id, for one run of a server. */
    id: aString,
    /** Tells an operator which server it is. */
    name: aString,
  },
  async run({ keyRing, keys, servers, clock }, { id, name }) {
    const known = await keys.known()
    if (known.isErr()) return known
    keyRing.refresh()
    const seenAtMicros = clock.nowMicros()
    const kid = newestHeld(keyRing, known.value)
    return servers.show({ id, name, kid, seenAtMicros }, seenAtMicros - forgottenAfterMicros)
  },
})

/** Removes a server that has ended: no key waits for it any more. */
export const hideServer = useCase({
  needs: ['servers.remove'],
  takes: {
    /** The id that `showServer` was called with. */
    id: aString,
  },
  run: async ({ servers }, { id }) => servers.remove(id),
})

/**
 * Ok when the ring holds the active key and all before it, and encrypts under it. Otherwise the process can write nothing that is encrypted,
 * and cannot read what others write.
 * @errors `key_ring_unfit`
 */
export const checkActiveKey = useCase({
  needs: ['keyRing.follow', 'keyRing.kids', 'keyRing.checkValue', 'keys.known'],
  async run({ keyRing, keys }) {
    await keyRing.follow()
    const known = await keys.known()
    if (known.isErr()) return known
    const unfit = unfitToServe(keyRing, known.value)
    return unfit === undefined ? ok() : err(unfit)
  },
})
