import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { spawnSotto } from '../support/spawned.ts'
import { startSender } from '../support/remote.ts'

const skip = process.platform !== 'linux' && 'these are devices of Linux'
const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0

// Promise (Clients): `sotto open` looks at standard output before it opens, so that no note is lost
t.test('where standard output cannot be written, nothing is opened', { skip }, async (t) => {
  const sender = await startSender(t)
  const share = await sender.run(['share', '--label', 'L'], { stdin: 'note' })
  const link = share.stdout.trim()
  const to = async (redirection: string, args: readonly string[], under: readonly string[] = []) => {
    const shell = [...under, 'sh', '-c', `exec "$@" ${redirection}`, 'sh']
    const spawned = spawnSotto(t, args, { cwd: sender.cwd, env: sender.env, stdin: link, under: shell })
    return { code: await spawned.ended, stderr: spawned.stderr() }
  }
  const small = ['unshare', '-m', 'sh', '-c', 'mount -t tmpfs -o size=512k none /mnt; exec "$@"', 'sh']
  for (const [redirection, detail, under] of [
    ['>/dev/full', 'ENOSPC', []],
    ['>&-', 'closed', []],
    ['1</dev/null', 'EBADF', []],
    ...(canMount ? ([['>/mnt/note', 'ENOSPC', small]] as const) : []),
  ] as const)
    for (const args of [
      ['open', '-'],
      ['open', '-', '--json'],
      ['share', '--label', 'L'],
    ]) {
      const { code, stderr } = await to(redirection, args, under)
      t.equal(code, 1, `${args.join(' ')} ${redirection}`)
      t.match(stderr, `standard output cannot be written (${detail}): nothing was opened or sent`)
    }
  t.match(await sender.operate(['secret', 'list', '--account', 'owner@localhost', '--json']), /"opens":0/)
  t.equal((await to('>note', ['open', '-'])).code, 0)
  t.equal(readFileSync(join(sender.cwd, 'note'), 'utf8'), 'note')
})
