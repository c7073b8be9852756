import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { setLanguage } from '../../src/accounts/account-choices.ts'
import { createWorld, unknownId } from '../world.ts'

t.test('a language is chosen, and no choice follows the browser', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  for (const language of ['ar', undefined] as const) {
    expectOk(await setLanguage(deps, { accountId, language }))
    t.equal(expectOk(await sotto.getAccount({ accountId })).language, language)
  }
  for (const language of ['it', '', 'DE']) {
    t.strictSame(expectErr(await setLanguage(deps, { accountId, language })), {
      code: 'fields_invalid',
      errors: [{ field: 'language', rule: 'unknown_language' }],
    })
  }
  t.strictSame(expectErr(await setLanguage(deps, { accountId: unknownId, language: 'de' })), {
    code: 'account_not_found',
  })
})
