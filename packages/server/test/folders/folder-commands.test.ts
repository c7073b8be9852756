import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'

const ann = ['--account', 'ann@example.org']

/** A folder of Ann's, and one of Bob's. */
async function withFolders(t: Test) {
  const { run, json } = testCommand(t)
  const folderOf = async (email: string) => {
    await json(['account', 'create', '--email', email])
    return (await json<{ id: string }>(['folder', 'create', '--account', email, '--label', 'Doors'])).id
  }
  return { run, json, folderId: await folderOf('ann@example.org'), others: await folderOf('bob@example.org') }
}

t.test('a folder gets another title', async (t) => {
  const { run, json, folderId } = await withFolders(t)
  const renamed = await json([
    'folder',
    'rename',
    ...ann,
    folderId.toUpperCase(),
    '--label',
    'Über \u{1F511}',
  ])
  t.strictSame(renamed, { id: folderId, label: 'Über \u{1F511}' })
  t.match(await json(['folder', 'list', ...ann]), [{ id: folderId, label: 'Über \u{1F511}' }])
  t.strictSame(await run(['folder', 'rename', ...ann, folderId, '--label', 'Cellar']), {
    code: 0,
    stdout: `${folderId} is renamed\n`,
    stderr: '',
  })
})

// Promise (The owner's pages): Only an empty folder is deleted
t.test('an empty folder is deleted, one that holds something is not', async (t) => {
  const { run, json, folderId } = await withFolders(t)
  const remove = ['folder', 'delete', ...ann, folderId]
  const { id } = await json<{ id: string }>(
    ['draft', 'create', ...ann, '--folder', folderId, '--label', 'x'],
    { stdin: 'x' },
  )
  t.match(await run(remove), { code: 1, stdout: '', stderr: /^sotto: the folder is not empty: [^\n]+\n$/ })
  await json(['draft', 'share', ...ann, id])
  t.match(await run(remove), { code: 1, stderr: /the folder is not empty/ }, 'also when it was shared')
  await json(['secret', 'destroy', ...ann, id])
  t.strictSame(await json(remove), { id: folderId, deleted: true })
  t.strictSame(await json(['folder', 'list', ...ann]), [])
})
