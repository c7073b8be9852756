import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { previewEmailChange } from '../../src/email-changes/confirm-email-change.ts'
import { dayMicros, recording, startMicros } from '../../../core/test/world.ts'
import { createWorld, requestChange } from '../world.ts'

t.test('a link says for whom it is and until when, as often as somebody looks', async (t) => {
  const world = await createWorld()
  const token = await requestChange(world)
  const recorded = recording(world.deps, ['emailChanges'])
  for (const _ of [1, 2]) {
    t.strictSame(expectOk(await previewEmailChange(recorded.deps, { token })), {
      accountId: world.accountId,
      email: 'ada@new.example',
      expiresAtMicros: startMicros + dayMicros,
    })
  }
  t.strictSame(recorded.calls, ['emailChanges.find', 'emailChanges.find'])
})

t.test('the token of a one-time link, an unknown and a malformed one find nothing', async (t) => {
  const { deps, sotto } = await createWorld()
  const invitation = expectOk(await sotto.resetAccount({ email: 'ada@example.org' }))
  for (const token of [invitation.token, 'A'.repeat(43), '', 'x'])
    t.strictSame(expectErr(await previewEmailChange(deps, { token })), { code: 'email_change_not_found' })
})
