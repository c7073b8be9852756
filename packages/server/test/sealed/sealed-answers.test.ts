import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newRequestKeys, openAnswer } from '@sotto/sealed'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { defaultOwnerEmail } from '../../src/config/settings-schema.ts'
import { testCommand } from '../support/in-process.ts'
import { entriesOf, openIn } from '../support/installation.ts'
import { owner, startSender } from '../support/remote.ts'

// `sotto answer` for a request whose answers only its owner can read, and what the commands say about such answers.

async function start(t: Test) {
  const sender = await startSender(t)
  const { sotto, close } = await openIn(`${sender.cwd}/server`)
  t.teardown(close)
  const { id: accountId } = expectOk(await sotto.findAccount({ email: defaultOwnerEmail }))
  const [folder] = await entriesOf(sotto.listFolders({ accountId }))
  const keys = await newRequestKeys()
  const asked = {
    accountId,
    folderId: folder?.id ?? '',
    title: 'Passport',
    takesFiles: true,
    answersAllowed: 9,
  }
  const { id, link } = expectOk(await sotto.createRequest({ ...asked, key: keys.key }))
  const answers = () => entriesOf(sotto.listAnswers({ accountId, requestId: id }))
  return { sender, keys, answers, url: `${sender.url}/r/${link.token}` }
}

t.test('an answer is sealed where the request asks for it, with its files', async (t) => {
  const { sender, keys, answers, url } = await start(t)
  writeFileSync(join(sender.cwd, 'canary.pdf'), 'canary')
  const args = ['answer', '-', '--file', 'canary.pdf']
  const sent = await sender.run(args, { stdin: `<${url}#${keys.auth}>.\ncanary\n` })
  t.match(sent, { code: 0, stdout: /^received at / })
  const [answer] = await answers()
  t.match(answer, { requestKey: keys.key, filesCount: 1 })
  t.match(await openAnswer(keys, answer?.note ?? ''), {
    text: 'canary\n',
    files: [{ name: 'canary.pdf', size: 6 }],
  })
})

t.test('a link without its key sends nothing, and says so', async (t) => {
  const { sender, answers, url } = await start(t)
  t.match(await sender.run(['answer', url], { stdin: 'canary' }), {
    ...{ code: 1, stdout: '', stderr: /the link lacks its key; nothing was sent/ },
  })
  t.same(await answers(), [])
})

t.test('lists and downloads say what is encrypted, and a sealed answer is not shared', async (t) => {
  const { sender, keys, url } = await start(t)
  const operator = testCommand(t, { isEmpty: true, cwd: `${sender.cwd}/server` })
  t.equal((await sender.run(['answer', `${url}#${keys.auth}`], { stdin: 'canary' })).code, 0)
  t.match(JSON.parse(await sender.operate(['request', 'list', ...owner, '--json'])), [{ key: keys.key }])
  const [draft] = JSON.parse(await sender.operate(['draft', 'list', ...owner, '--json'])) as { id: string }[]
  t.match(draft, { label: 'Passport', sealed: true })
  const shared = await operator.run(['draft', 'share', ...owner, draft?.id ?? ''], {
    env: { SOTTO_LINK_BASE_URL: sender.url },
  })
  t.match(shared, {
    code: 1,
    stdout: '',
    stderr: /encrypted for its owner: it can be neither shared nor edited/,
  })
})
