import { createClient, type NewSecret, type Secret } from '@sotto/client'
import { findFreePort } from '@sotto/system'
import t from 'tap'
import { owner, startSender, typing, type Sender } from '../support/remote.ts'

// `sotto destroy` against a server.

async function share({ url, token }: Sender, more: Partial<NewSecret> = {}): Promise<Secret> {
  const client = createClient({ baseUrl: url, token })
  const [folder] = await client.listFolders()
  return client.createSecret({ label: 'L', note: 'note', folderId: folder?.id ?? '', ...more })
}

async function secretsOf({ operate }: Sender): Promise<readonly string[]> {
  const listed = JSON.parse(await operate(['secret', 'list', ...owner, '--json'])) as { id: string }[]
  return listed.map(({ id }) => id)
}

const gone = 'sotto: the account has no such secret: it expired, is destroyed already, or never existed\n'

// Promise (Clients): `sotto destroy` takes back the secret with the id or the link, and no other
t.test('a secret is destroyed by its id or its link, and no other', async (t) => {
  const sender = await startSender(t)
  const kept = await share(sender)
  for (const targetOf of [
    ({ id }: Secret) => id,
    ({ id }: Secret) => id.toUpperCase(),
    ({ link }: Secret) => link.url,
    ({ link }: Secret) => `<${link.url}/>.`,
    ({ link }: Secret) => `${link.url}%3E`,
    ({ link }: Secret) => `https://former.example.org${new URL(link.url).pathname}?utm_source=mail#top`,
  ]) {
    const secret = await share(sender)
    const target = targetOf(secret)
    t.strictSame(await sender.run(['destroy', target]), {
      code: 0,
      stdout: `${secret.id} is destroyed\n`,
      stderr: '',
    })
    t.strictSame(await secretsOf(sender), [kept.id])
    t.match(await sender.run(['open', secret.link.url]), { code: 3, stdout: '' })
    t.strictSame(await sender.run(['destroy', target]), { code: 3, stdout: '', stderr: gone })
  }
})

t.test(
  'with - the link or id is the first line of standard input, or typed without being shown',
  async (t) => {
    const sender = await startSender(t)
    const secrets = [await share(sender), await share(sender), await share(sender)] as const
    const [first, second, third] = secrets
    for (const stdin of [`${first.link.url}\r\nmore`, ` ${second.id}\n`])
      t.match(await sender.run(['destroy', '-'], { stdin }), { code: 0, stderr: '' })
    const typed = typing(third.link.url)
    t.match(await sender.run(['destroy', '-'], { isTTY: true, ...typed }), { code: 0, stderr: '' })
    t.strictSame(typed.asked, ['Link or id: '])
    t.strictSame(await secretsOf(sender), [])
    t.match(await sender.run(['destroy', '-'], { stdin: 'hunter2\n' }), {
      code: 2,
      stdout: '',
      stderr: 'sotto: what was read is neither an http or https URL nor the id of a secret\n',
    })
  },
)

t.test('with --json the secret is printed as it was', async (t) => {
  const sender = await startSender(t)
  const { id, label, link } = await share(sender)
  const printed = await sender.json(['destroy', link.url])
  t.match(printed, { id, label, link: { url: link.url } })
  t.strictSame(Object.keys(printed), ['id', 'label', 'expires_at', 'folder_id', 'created_at', 'link'])
})

t.test('a token with the scope write is enough with an id; by the link it needs read too', async (t) => {
  const sender = await startSender(t)
  const { id, link } = await share(sender)
  const tokenFor = async (scope: string) => ({
    SOTTO_TOKEN: (
      await sender.operate(['token', 'create', ...owner, '--name', 'n', '--scopes', scope])
    ).trim(),
  })
  const [read, write] = [await tokenFor('read'), await tokenFor('write')]
  for (const [target, env] of [
    [id, read],
    [link.url, read],
    [link.url, write],
  ] as const) {
    const { code, stdout, stderr } = await sender.run(['destroy', target], { env })
    t.match(
      { code, stdout, stderr },
      { code: 1, stdout: '', stderr: /needs the scope write, and read to find/ },
    )
  }
  t.strictSame(await secretsOf(sender), [id])
  t.match(await sender.run(['destroy', id], { env: write }), { code: 0 })
})

t.test('each refusal has its words, and repeats no link', async (t) => {
  const sender = await startSender(t)
  const { link } = await share(sender)
  const target = link.url
  const elsewhere = `http://127.0.0.1:${await findFreePort()}`
  const refusals: [NodeJS.ProcessEnv, RegExp][] = [
    [{ SOTTO_TOKEN: 'sotto_wrong' }, /the access token is not valid/],
    [{ SOTTO_URL: '', SOTTO_TOKEN: '' }, /no service is known: run sotto login, or set/],
    [{ SOTTO_URL: elsewhere }, /no service answers there \(ECONNREFUSED\)/],
  ]
  for (const [env, text] of refusals) {
    const { stdout, stderr } = await sender.run(['destroy', target], { env })
    t.match({ stdout, stderr }, { stdout: '', stderr: text })
    t.notMatch(stderr, new URL(target).pathname)
  }
})

t.test('wrong usage repeats nothing', async (t) => {
  const { run } = await startSender(t)
  for (const args of [
    ['destroy'],
    ['destroy', 'hunter2'],
    ['destroy', 'ftp://hunter2'],
    ['destroy', 'http://x/hunter2', 'hunter2'],
  ]) {
    const { code, stderr } = await run(args)
    t.match({ code, stderr }, { code: 2, stderr: /^sotto: .*\(see: sotto destroy --help\)\n$/ })
    t.notMatch(stderr, 'hunter2')
  }
})
