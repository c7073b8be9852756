import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testCommand } from '../support/in-process.ts'

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
    kids: [1],
  }
  t.match(answer, { file: join(cwd, 'c'), bytes: Number, backed_up_at: /Z$/, ...counts })
  t.match(await run(['backup', 'b']), { code: 1, stdout: '', stderr: /^sotto: .*b exists already/ })
  rmSync(join(cwd, 'data'), { recursive: true })
  const restored = await run(['restore', 'b'])
  t.match(restored, { code: 0, stderr: '' })
  t.match(
    restored.stdout,
    /is \d+ seconds? old: made at 2.*\nIt contains 1 account.*\nErased: 0 .*\nDestroyed: 0 .*\nRevoked: 1 access token\./,
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
