import { expectOk } from '@sotto/test-kit'
import { createSystemClock } from '@sotto/system'
import { join } from 'node:path'
import t from 'tap'
import { checkOwner } from '../../src/accounts/check-owner.ts'
import { defaultOwnerEmail as email } from '../../src/config/settings-schema.ts'
import { openIn } from '../support/installation.ts'
import { testCommand } from '../support/in-process.ts'

t.test('doctor names the account that nobody has given its owner’s address, as a warning', async (t) => {
  const { cwd, run } = testCommand(t)
  t.match(await run(['account', 'create', '--email', email]), { code: 0 })
  const warned = await run(['doctor'])
  t.equal(warned.code, 0)
  const [line, command] = /– accounts: .*: sotto (account rename .*)/.exec(warned.stdout) ?? []
  t.match(line, `${email} stands for its owner's address`)
  t.match(await run((command ?? '').split(' ')), { code: 0 }, 'the command renames it')
  const renamed = await run(['doctor'])
  t.equal(renamed.code, 0)
  t.notMatch(renamed.stdout, 'accounts:')

  const { storage, sotto, close } = await openIn(cwd)
  t.teardown(close)
  const given = { storage, keysFile: join(cwd, 'keys', 'sotto-keys.json'), clock: createSystemClock(), email }
  const { id: accountId } = expectOk(await sotto.createAccount({ email }))
  t.match(await checkOwner(given), [{ check: 'accounts', ok: undefined }])
  expectOk(await sotto.disableAccount({ accountId }))
  t.same(await checkOwner(given), [], 'one that is disabled stays as it is')
})
