import { idempotencyMicros, keyDigests } from '../shared/idempotency-key.ts'
import { aString } from '../shared/inputs.ts'
import { account } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'

/** Whether an earlier request with an idempotency key has created a secret, in the 24 hours for which a key is remembered. */
export const isKeyUsed = useCase({
  needs: ['idempotencyKeys.find', 'digests.keyedDigests', 'clock.nowMicros'],
  takes: { ...account, idempotencyKey: aString },
  async run({ idempotencyKeys, digests, clock }, input) {
    const forgottenByMicros = clock.nowMicros() - idempotencyMicros
    const claim = await idempotencyKeys.find(input.accountId, keyDigests(digests, input), forgottenByMicros)
    return claim.map((found) => found !== undefined)
  },
})
