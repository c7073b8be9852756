import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { testCommand } from '../support/in-process.ts'
import { codeOf, openIn } from '../support/installation.ts'

const email = ['--email', 'ann@example.org']
const password = 'four words in a row'

interface Invitation {
  readonly id: string
  readonly url: string
  readonly expires_at: string
}

/** The token in the address of a one-time link. */
function tokenIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

t.test('an account of an embedding application is listed with its external id', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const { sotto, close } = await openIn(cwd)
  const { id } = expectOk(await sotto.ensureAccount({ externalId: 'user-7' }))
  await close()
  const [account = {}, ...others] = await json<Record<string, unknown>[]>(['account', 'list'])
  t.strictSame(others, [])
  t.match(account, { id, email: null, external_id: 'user-7', disabled_at: null })
  t.strictSame(Object.keys(account), [
    'id',
    'email',
    'external_id',
    'created_at',
    'disabled_at',
    'held',
    'files_bytes',
  ])
  t.match((await run(['account', 'list'])).stdout, /\(user-7\)\n$/)
})

// Promise (The owner's pages): `account rename` gives an account another address immediately
t.test('rename gives an account another address immediately, and ends its one-time link', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const { url } = await json<Invitation>(['account', 'invite', ...email])
  await json(['account', 'create', '--email', 'bob@example.org'])
  const taken = await run(['account', 'rename', ...email, '--to', 'BOB@example.org'])
  t.match(taken, { code: 1, stdout: '', stderr: /an account with this email exists already/ })
  const invalid = await run(['account', 'rename', ...email, '--to', 'a;b@example.org'])
  t.match(invalid, { code: 1, stdout: '', stderr: /email/ })
  const renamed = await json(['account', 'rename', ...email, '--to', 'Ann@Example.net'])
  t.match(renamed, { email: 'ann@example.net', disabled_at: null })
  const { sotto, close } = await openIn(cwd)
  const use = sotto.choosePassword({ token: tokenIn(url), password, address: '192.0.2.1' })
  t.equal(await codeOf(use), 'welcome_not_found')
  await close()
  const gone = await run(['account', 'rename', ...email, '--to', 'ann@example.com'])
  t.match(gone, { code: 1, stdout: '', stderr: /there is no account with this email/ })
})

// Promise (The owner's pages): An account is deleted with everything that belongs to it
t.test('a deleted account is gone with everything that belongs to it', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const { id } = await json<{ id: string }>(['account', 'create', ...email])
  const ann = ['--account', 'ann@example.org']
  const { id: folder } = await json<{ id: string }>(['folder', 'create', ...ann, '--label', 'Doors'])
  const create = ['draft', 'create', ...ann, '--folder', folder, '--label', 'x']
  const draft = await json<{ id: string }>(create, { stdin: 'x' })
  const { link } = await json<{ link: { url: string } }>(['draft', 'share', ...ann, draft.id])
  const { token } = await json<{ token: string }>(['token', 'create', ...ann, '--name', 'laptop'])
  t.match(await run(['account', 'delete', ...email]), { code: 2, stderr: /'--yes' not specified/ })
  t.equal((await json<unknown[]>(['account', 'list'])).length, 1, 'without --yes nothing is erased')
  t.strictSame(await json(['account', 'delete', '--email', 'ANN@example.org', '--yes']), {
    id,
    deleted: true,
  })
  t.strictSame(await json(['account', 'list']), [])
  const { sotto, close } = await openIn(cwd)
  t.equal(await codeOf(sotto.openSecret({ token: tokenIn(link.url) })), 'link_not_found')
  t.equal(await codeOf(sotto.authenticate({ token })), 'token_invalid')
  await close()
  t.not((await json(['account', 'create', ...email]))['id'], id, 'the email can be used again')
})

t.test('a deletion of an account that does not exist is refused with one sentence', async (t) => {
  const { run } = testCommand(t)
  for (const json of [[], ['--json']]) {
    const { code, stdout, stderr } = await run(['account', 'delete', ...email, '--yes', ...json])
    t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: /there is no account with this email/ })
    t.match(stderr, /^sotto: [^\n]+\n$/)
  }
})
