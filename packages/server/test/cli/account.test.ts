import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { testCommand } from '../support/in-process.ts'
import { openIn } from '../support/installation.ts'

t.test('an account of an embedding application is listed with its external id', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const { sotto, close } = await openIn(cwd)
  const { id } = expectOk(await sotto.ensureAccount({ externalId: 'user-7' }))
  await close()
  const [account = {}, ...others] = await json<Record<string, unknown>[]>(['account', 'list'])
  t.strictSame(others, [])
  t.match(account, { id, email: null, external_id: 'user-7', disabled_at: null })
  t.strictSame(Object.keys(account), ['id', 'email', 'external_id', 'created_at', 'disabled_at'])
  t.match((await run(['account', 'list'])).stdout, /\(user-7\)\n$/)
})
