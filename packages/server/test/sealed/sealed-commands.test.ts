import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockOf, proofOf, readKey } from '@sotto/sealed'
import t from 'tap'
import { owner, startSender } from '../support/remote.ts'

// `sotto share --sealed`, `sotto open` and `sotto unseal` against a server.

t.test('a sealed text and its file come back by the link alone', async (t) => {
  const sender = await startSender(t)
  writeFileSync(join(sender.cwd, 'plan.txt'), 'canary in a file')
  const args = ['share', '--label', 'Plan', '--sealed', '--file', 'plan.txt']
  const shared = await sender.json([...args, '--open-limit', '2'], { stdin: 'canary\n' })
  t.match(shared, { sealed: true, link: { url: /#[\w-]{22}$/ } })
  const { url } = (shared as { link: { url: string } }).link
  t.match(await sender.run(['open', url], {}), { code: 0, stdout: 'canary\n' })
  const opened = await sender.json(['open', '-', '--output', '.'], { stdin: `<${url}>.\n` })
  t.match(opened, { note: 'canary\n', sealed: true, files: [{ name: 'plan.txt', path: /plan-2\.txt$/ }] })
  t.equal(readFileSync(join(sender.cwd, 'plan-2.txt'), 'utf8'), 'canary in a file')
  const listed = JSON.parse(await sender.operate(['secret', 'list', ...owner, '--json'])) as object[]
  t.match(listed, [{ label: 'Plan', sealed: true }])
  t.notMatch(JSON.stringify(listed), url.split('#')[1])
})

t.test('a link without its key, or with another one, opens nothing and says so', async (t) => {
  const sender = await startSender(t)
  const { stdout } = await sender.run(['share', '--label', 'l', '--sealed'], { stdin: 'canary' })
  const [url = '', key = ''] = stdout.trim().split('#')
  t.match(await sender.run(['open', url]), {
    ...{ code: 1, stdout: '', stderr: /the link lacks its key; nothing was opened/ },
  })
  const another = `${key.startsWith('A') ? 'B' : 'A'}${key.slice(1)}`
  t.match(await sender.run(['open', `${url}#${another}`]), {
    code: 1,
    stdout: '',
    stderr: /nothing was opened/,
  })
  t.match(await sender.run(['open', `${url}#${key}`]), { code: 0, stdout: 'canary' })
})

t.test('a saved sealed text is decrypted without a service', async (t) => {
  const sender = await startSender(t)
  const password = ['--password-stdin']
  const { stdout } = await sender.run(['share', '--label', 'l', '--sealed', ...password], {
    stdin: 'pass\ncanary',
  })
  const url = stdout.trim()
  const [bare = '', key = ''] = url.split('#')
  const sealed = await sealedText(url)
  writeFileSync(join(sender.cwd, 'saved.txt'), `${sealed}\n`)
  const env = { SOTTO_URL: '', SOTTO_TOKEN: '' }
  for (const first of [key, url])
    t.match(await sender.run(['unseal', 'saved.txt', ...password], { stdin: `${first}\npass\n`, env }), {
      ...{ code: 0, stdout: 'canary' },
    })
  t.match(await sender.run(['unseal', ...password], { stdin: `${key}\npass\n${sealed}\n` }), {
    stdout: 'canary',
  })
  t.same(await sender.json(['unseal', 'saved.txt', ...password], { stdin: `${key}\npass\n` }), {
    ...{ note: 'canary', files: [] },
  })
  for (const [stdin, stderr] of [
    [`${key}\nwrong\n`, /cannot be decrypted with this key and password/],
    [`${bare}\npass\n`, /not the key of a link/],
  ] as const)
    t.match(await sender.run(['unseal', 'saved.txt', ...password], { stdin }), {
      code: 1,
      stdout: '',
      stderr,
    })
  writeFileSync(join(sender.cwd, 'plain.txt'), 'plain')
  t.match(await sender.run(['unseal', 'plain.txt'], { stdin: key }), { code: 1, stderr: /not a sealed one/ })
})

/** The sealed text as the service has it. */
async function sealedText(url: string): Promise<string> {
  const key = readKey(new URL(url).hash.slice(1))
  if (key === undefined) throw new Error('no key')
  const { password } = await lockOf(key, 'pass')
  const answer = await fetch(url.split('#')[0] ?? '', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' } },
    body: JSON.stringify({ password, proof: await proofOf(key) }),
  })
  return ((await answer.json()) as { data: { note: string } }).data.note
}
