import type { ShownServer, StoredKey } from '@sotto/core'
import fc from 'fast-check'
import { kids } from '../stores/harness.ts'
import { step, stepsOf } from '../stores/steps.ts'
import { aDigest, anId, aTime } from '../stores/values.ts'
import { anyKid } from './full-steps.ts'

const key: fc.Arbitrary<StoredKey> = fc.record({
  kid: anyKid,
  checkValue: aDigest,
  createdAtMicros: aTime,
  isReadOnly: fc.boolean(),
})

/** The keys of histories: a storage may have others. */
function ofHistories<Key extends StoredKey>(keys: readonly Key[]): readonly Key[] {
  return keys.filter(({ kid }) => kid >= kids.writable)
}

/** What is tried on the store of keys. */
export const keySteps = {
  ...stepsOf('keys', { add: [key], activate: [anyKid], retire: [anyKid], list: [], known: [] }),
  list: step('keys', 'keys.list', fc.constant([]), ({ keys }) => keys.list().map(ofHistories)),
  known: step('keys', 'keys.known', fc.constant([]), ({ keys }) => keys.known().map(ofHistories)),
}

const server: fc.Arbitrary<ShownServer> = fc.record({
  id: anId,
  name: fc.constantFrom('web-1:3000', 'ünicode'),
  kid: fc.constantFrom(3, 2 ** 31 - 1),
  seenAtMicros: aTime,
})

/** What is tried on the store of servers. */
export const serverSteps = stepsOf('servers', {
  show: [server, aTime],
  list: [],
  remove: [anId],
})
