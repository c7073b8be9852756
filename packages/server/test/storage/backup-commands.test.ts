import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { addSecretWithFiles, storedContents } from '../support/files.ts'
import { testCommand } from '../support/in-process.ts'
import { addOwner, openIn } from '../support/installation.ts'

t.test('the commands report the age of a backup, its contents and what was done with them', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const ann = ['--account', 'ann@example.org']
  await json(['account', 'create', '--email', 'ann@example.org'])
  await json(['token', 'create', ...ann, '--name', 'laptop'])
  const made = await run(['backup', 'b'])
  t.match(made, { code: 0, stderr: '' })
  t.match(
    made.stdout,
    /^The backup was made at 2.*Z\. It takes [\d.]+ kB and is verified\.\nIt contains 1 account, 0 folders, .* under key 1\.\n$/,
  )
  const answer = await json(['backup', 'c'])
  const counts = {
    accounts: 1,
    folders: 0,
    drafts: 0,
    secrets: 0,
    expired_secrets: 0,
    access_tokens: 1,
    files: 0,
    file_bytes: 0,
    kids: [1],
  }
  t.match(answer, { file: join(cwd, 'c'), bytes: Number, backed_up_at: /Z$/, ...counts })
  t.match(await run(['backup', 'b']), { code: 1, stdout: '', stderr: /^sotto: .*b exists already/ })
  rmSync(join(cwd, 'data'), { recursive: true })
  const restored = await run(['restore', 'b'])
  t.match(restored, { code: 0, stderr: '' })
  t.match(
    restored.stdout,
    /is \d+ seconds? old: made at 2.*\nIt contains 1 account.*\nErased: 0 .*\nDestroyed: the text of 0 .*\nRevoked: 1 access token\./,
  )
  t.match(await run(['restore', 'b']), { code: 1, stdout: '', stderr: /overwrites nothing/ })
  rmSync(join(cwd, 'data'), { recursive: true })
  const restoredJson = await json(['restore', 'b', '--keep-tokens', '--keep-limited'])
  t.match(restoredJson, {
    ...counts,
    backed_up_at: /Z$/,
    age_seconds: Number,
    purged_secrets: 0,
    destroyed_notes: 0,
    revoked_tokens: 0,
  })
  t.match(await run(['backup']), { code: 2, stderr: /missing required argument 'file'/ })
})

t.test('progress is shown on a terminal and not in a pipe', async (t) => {
  const { cwd, run, json } = testCommand(t)
  await json(['account', 'create', '--email', 'ann@example.org'])
  t.equal((await run(['backup', 'quiet'])).stderr, '')
  /** What was written to a terminal, with ¶ for each return to the start of the line. */
  const shown = async (...args: string[]) =>
    (await run(args, { stderrIsTTY: true })).stderr.replaceAll('\r\u001b[K', '¶')
  t.match(await shown('backup', 'shown'), /^¶\d+ % of [\d.]+ [kM]B.*¶$/)
  rmSync(join(cwd, 'data'), { recursive: true })
  t.match(await shown('restore', 'shown'), /^¶\d+ % of .*¶$/)
  t.match(await shown('keys', 'rotate'), /^¶\d+ rows? moved to key \d.*¶$/)
})

t.test('files are counted with their bytes, and those that are left out are named', async (t) => {
  const { cwd, run, json } = testCommand(t, { isEmpty: true })
  const installation = await openIn(cwd)
  const owner = await addOwner(installation)
  const files = [{ name: 'a', content: Buffer.alloc(1_000_000) }]
  await addSecretWithFiles(installation, owner, files)
  await addSecretWithFiles(installation, owner, files, { openLimit: 1 })
  const [lost = ''] = (await storedContents(installation)).keys()
  await installation.close()
  const made = await run(['backup', 'b'])
  t.match(
    made.stdout,
    /It takes 2\.\d MB .*\nIt contains .*, 1 access token and 2 files \(1\.9 MB\), under key 1\.\n$/,
  )
  t.match(await json(['backup', 'c']), { files: 2, file_bytes: /^20\d{5}$/ })
  const path = join(cwd, 'data', 'files', lost.slice(0, 6), lost)
  rmSync(path)
  const named = `sotto: the content of file ${lost} of the secret or draft `
  const without = await run(['backup', 'd'])
  t.match(without, { code: 1, stdout: / and 1 file \(/, stderr: named })
  t.match(without.stderr, /is missing\nsotto: the backup was made without the content of 1 file: /)
  const inJson = await run(['backup', 'e', '--json'])
  const missing = { id: lost, secret_id: /^[-0-9a-f]{36}$/ }
  t.match(JSON.parse(inJson.stdout), { files: 1, missing_files: [missing] })
  t.equal(inJson.code, 1)

  rmSync(join(cwd, 'data'), { recursive: true })
  const back = await run(['restore', 'd', '--keep-limited', '--json'])
  t.match(back, { code: 1, stderr: named })
  t.match(back.stderr, /the backup lacks the content of 1 file/)
  t.match(JSON.parse(back.stdout), { restored_files: 1, missing_files: [missing] })
  t.match(await run(['doctor']), { stdout: lost })
  rmSync(join(cwd, 'data'), { recursive: true })
  t.match(
    (await run(['restore', 'b'])).stdout,
    /Destroyed: the text of 1 secret .*\nLeft out: 1 file of those secrets\.\n/,
  )
  rmSync(join(cwd, 'data'), { recursive: true })
  t.match(await json(['restore', 'b', '--keep-limited']), { files: 2, restored_files: 2 })
  t.match(await run(['doctor']), { stdout: /✓ files: 2 files have their content/ })
})
