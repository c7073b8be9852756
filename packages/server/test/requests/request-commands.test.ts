import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { addOwner, codeOf, openIn } from '../support/installation.ts'

const ann = ['--account', 'ann@example.org']
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

interface Created {
  readonly id: string
  readonly url: string
}

async function withOwner(t: Test) {
  const command = testCommand(t)
  await command.json(['account', 'list'])
  const installation = await openIn(command.cwd)
  const { folderId } = await addOwner(installation)
  await installation.close()
  const folder = ['--folder', folderId]
  const create = (args: readonly string[], stdin = 'Its password') =>
    command.json<Created>(['request', 'create', ...ann, ...folder, ...args], { stdin })
  return { ...command, folderId, folder, create }
}

// Promise (Requests): The command makes a request, lists its answers, and closes it
t.test('a request is made, answered, listed and closed', async (t) => {
  const { run, json, cwd, folderId, folder, create } = await withOwner(t)
  const made = await create(['--title', 'Router', '--answers', '2', '--expires-in', '1d'], 'Two\nlines\n')
  t.match(made, {
    ...{ title: 'Router', folder_id: folderId, answers_allowed: 2, closes_at: time },
    url: /^http:\/\/localhost:3000\/r\/[\w-]{43}$/,
  })
  const token = made.url.slice(-43)
  const installation = await openIn(cwd)
  const { text, closesAtMicros, createdAtMicros } = expectOk(
    await installation.sotto.getRequest({ accountId: await ownerOf(installation), id: made.id }),
  )
  t.equal(text, 'Two\nlines', 'the last line break is not part of it')
  t.equal(closesAtMicros - createdAtMicros, 86_400_000_000)
  const answer = { token, note: 'hunter2', address: '192.0.2.1' }
  expectOk(await installation.sotto.answerRequest(answer))
  await installation.close()

  const plain = await run(['request', 'create', ...ann, ...folder, '--title', 'Second'], { stdin: '' })
  t.match(plain, { code: 0, stderr: /no display name/, stdout: /^http:\/\/localhost:3000\/r\/[\w-]{43}\n$/ })
  t.match(await json(['request', 'list', ...ann]), [
    { title: 'Second', answers_allowed: 1, answers: 0, closed_at: null, url: plain.stdout.trim() },
    { ...made, answers: 1, closed_at: null },
  ])
  t.match(await json(['draft', 'list', ...ann]), [{ label: 'Router', folder_id: folderId }])

  t.strictSame(await json(['request', 'close', ...ann, made.id.toUpperCase()]), { id: made.id, closed: true })
  t.match(await json(['request', 'list', ...ann]), [{}, { id: made.id, closed_at: time }])
  const { code, stdout } = await run(['request', 'list', ...ann])
  t.equal(code, 0)
  const [titles, second, first] = stdout.trimEnd().split('\n')
  t.match(titles, /^ID +CLOSES +ANSWERS +TITLE$/)
  t.match(second, / 0 of 1 +Second$/)
  t.match(first, / closed +1 of 2 +Router$/)
  t.notMatch(stdout, token, 'the table shows no link')
  const again = await openIn(cwd)
  t.equal(await codeOf(again.sotto.answerRequest(answer)), 'request_not_found')
  await again.close()
})

t.test('what is wrong with a request is named by its option', async (t) => {
  const { run, folder } = await withOwner(t)
  const request = ['request', 'create', ...ann]
  const cases: [string[], string, RegExp][] = [
    [['--title', ''], 'x', /--title must not be empty/],
    [['--title', 'x', '--answers', '0'], 'x', /--answers must be from 1 to 100/],
    [['--title', 'x', '--answers', '101'], 'x', /--answers must be from 1 to 100/],
    [['--title', 'x', '--expires-in', '31d'], 'x', /--expires-in must be at most 30 days/],
    [['--title', 'x'], 'x'.repeat(2_001), /standard input must not exceed 2000 characters/],
    [['--title', 'x'], 'a\u0007b', /standard input must not contain control characters/],
  ]
  for (const [args, stdin, stderr] of cases)
    t.match(await run([...request, ...folder, ...args], { stdin }), { code: 1, stdout: '', stderr })
  const unknown = ['--folder', '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071', '--title', 'x']
  t.match(await run([...request, ...unknown], { stdin: '' }), {
    code: 1,
    stderr: /--folder must be a folder/,
  })
  t.match(await run([...request, ...folder, '--title', 'x', '--expires-in', 'soon'], { stdin: '' }), {
    code: 2,
  })
  const noPort = { env: { SOTTO_PORT: '0' }, stdin: '' }
  t.match(await run([...request, ...folder, '--title', 'x'], noPort), {
    code: 1,
    stderr: /SOTTO_LINK_BASE_URL/,
  })
})

t.test(
  'an answer is shared once and for a week unless told otherwise, and a request of somebody with a name warns of nothing',
  async (t) => {
    const { run, json, cwd, folder, create } = await withOwner(t)
    const { url } = await create(['--title', 'Router', '--answers', '3'])
    const installation = await openIn(cwd)
    const accountId = await ownerOf(installation)
    for (const note of ['a', 'b'])
      expectOk(await installation.sotto.answerRequest({ token: url.slice(-43), note, address: '192.0.2.1' }))
    expectOk(await installation.sotto.setDisplayName({ accountId, displayName: 'Ann' }))
    await installation.close()
    const [one, other] = await json<readonly Created[]>(['draft', 'list', ...ann])
    const shared = await run(['draft', 'share', ...ann, one!.id, '--json'])
    t.match(shared, { code: 0, stderr: /^the link opens once, until [\d-]+ [\d:]+ UTC\n$/ })
    const secret = JSON.parse(shared.stdout) as { link: { created_at: string }; expires_at: string }
    t.equal(Date.parse(secret.expires_at) - Date.parse(secret.link.created_at), 7 * 86_400_000)
    const told = ['--open-limit', '0', '--expires-in', '1d']
    const unlimited = await run(['draft', 'share', ...ann, other!.id, ...told, '--json'])
    t.equal(unlimited.code, 0)
    t.match(await json(['secret', 'list', ...ann]), [{ open_limit: 0 }, { open_limit: 1 }])
    t.match(unlimited.stderr, /any number of times/)
    const own = ['draft', 'create', ...ann, ...folder, '--label', 'x']
    const { id } = await json<Created>(own, { stdin: 'x' })
    t.match(await run(['draft', 'share', ...ann, id]), { code: 0, stderr: '' })
    const plain = await run(['request', 'create', ...ann, ...folder, '--title', 'Second'], { stdin: '' })
    t.match(plain, { code: 0, stderr: '' })
  },
)

async function ownerOf({ sotto }: Awaited<ReturnType<typeof openIn>>): Promise<string> {
  return expectOk(await sotto.findAccount({ email: 'ann@example.org' })).id
}
