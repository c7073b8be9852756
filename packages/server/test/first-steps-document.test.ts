import { findFreePort } from '@sotto/system'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { program } from './support/program.ts'
import {
  blocksOf,
  ended,
  installation,
  linesUntil,
  onThisMachine,
  shell,
  temporaryFolder,
} from './support/readme-examples.ts'

// Runs the commands of docs/first-steps.md in their order.

const root = join(import.meta.dirname, '..', '..', '..')
const document = readFileSync(join(root, 'docs', 'first-steps.md'), 'utf8')

// Promise (Documents): The first steps work
t.test('the commands of the first steps work', async (t) => {
  const port = await findFreePort()
  const env = { ...installation(t), SOTTO_PORT: String(port) }
  const server = spawn(process.execPath, [program, 'serve'], { env })
  t.teardown(() => ended(server))
  const printed = await linesUntil(server, /token create --account/)

  const known = { TOKEN: /sotto_\w+/.exec(printed)?.[0], FOLDER: /"folder_id":"([^"]+)/.exec(printed)?.[1] }
  const folder = temporaryFolder(t)
  const answers: string[] = []
  const [start, ...blocks] = blocksOf(document, 'sh').toReversed()
  t.match(start, / npm start\n$/, 'the last block starts a server, with settings')
  for (const block of blocks.toReversed()) {
    const link = /"link":\{"url":"([^"]+)/.exec(
      answers.findLast((answer) => answer.includes('"link"')) ?? '',
    )?.[1]
    const url = /"files":.*"url":"([^"]+)/.exec(answers.join('\n'))?.[1]
    const secret = /"data":\{"id":"([^"]+)/.exec(answers.join('\n'))?.[1]
    const things = { LINK: link, URL: url, SECRET: secret }
    answers.push(
      await shell(`cd '${folder}'\n${onThisMachine(block, port)}`, { ...env, ...known, ...things }),
    )
  }
  const [folders = '', created = '', opened = '', ...later] = answers
  const [, openedFiles = '', file, listed, destroyed = '', commands, ...others] = later
  t.same(others, [], 'every block has a test')
  const [shownFolders, shownSecret, shownFiles] = blocksOf(document, 'json')
  t.equal(keysOf(folders), keysOf(shownFolders))
  t.match(JSON.parse(folders), { success: true, data: [{ label: 'Inbox', secrets_count: 0 }] })
  t.equal(keysOf(created), keysOf(shownSecret))
  t.match(JSON.parse(created), { success: true, data: { label: 'Router' } })
  t.match(JSON.parse(opened), { success: true, data: { note: 'admin / correct horse', opens_left: 0 } })
  t.equal(keysOf(openedFiles), keysOf(shownFiles))
  t.match(JSON.parse(openedFiles), {
    data: { files: [{ name: 'contract.txt', size: 10, type: 'text/plain' }] },
  })
  t.equal(file, 'as agreed\n')
  t.match(listed, /"label":"Router"[^]*\{"success":true,"version":"1.0","data":\{"id":/)
  t.same(JSON.parse(destroyed), JSON.parse(created))
  t.match(commands, /Door codes[^]*Usage: sotto/)
})

/** The names of the fields of a JSON text, in their order. */
function keysOf(text = ''): string {
  return [...JSON.stringify(JSON.parse(text)).matchAll(/"(\w+)":/g)].map(([, key]) => key).join(' ')
}
