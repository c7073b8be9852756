import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { previewWelcome } from '../../src/use-cases/preview-welcome.ts'
import { createWorld, email } from '../world.ts'

const gone = { code: 'welcome_not_found' }

t.test('a preview shows whose link it is and what for, as often as it is asked', async (t) => {
  const { deps, sotto } = await createWorld()
  const { token, replacesPassword: _, ...welcome } = expectOk(await sotto.resetAccount({ email }))
  for (let nr = 0; nr < 3; nr += 1) t.strictSame(expectOk(await previewWelcome(deps, { token })), welcome)
})

t.test('malformed, unknown and disabled give the same error', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { token } = expectOk(await sotto.resetAccount({ email }))
  const accounts = { ...deps.accounts, find: () => okAsync(undefined) }
  t.strictSame(expectErr(await previewWelcome({ ...deps, accounts }, { token })), gone, 'deleted just now')
  expectOk(await sotto.disableAccount({ accountId }))
  for (const other of ['', token.slice(1), 'A'.repeat(43), token]) {
    t.strictSame(expectErr(await previewWelcome(deps, { token: other })), gone)
  }
})
