import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createClient } from '@sotto/client'
import t, { type Test } from 'tap'
import { readHiddenLine } from '../../src/cli/terminal.ts'
import { program } from '../support/program.ts'
import { startSender } from '../support/remote.ts'

async function typed(...chunks: readonly (string | Buffer)[]) {
  let shown = ''
  const line = await readHiddenLine(
    {
      write: (text) => void (shown += text),
      async *[Symbol.asyncIterator]() {
        yield* chunks.map((chunk) => Buffer.from(chunk))
      },
    },
    'Password: ',
  )
  t.equal(shown, 'Password: \n', 'nothing that is typed is shown')
  return line.isOk() ? line.value : line.error.code
}

t.test('a line ends with Return, and keys erase', async (t) => {
  t.equal(await typed('pass\r'), 'pass')
  t.equal(await typed('pa', 'ss\nmore'), 'pass')
  t.equal(await typed('pä🔑\u007f\u007fä\bass\r'), 'pass')
  t.equal(await typed('wrong\u0015right\r'), 'right')
  t.equal(await typed('\u001b\tx\r'), 'x', 'other control keys are left out')
  const key = Buffer.from('🔑')
  t.equal(await typed(key.subarray(0, 2), key.subarray(2), '\r'), '🔑')
  t.equal(await typed('\r'), '')
})

t.test('Ctrl-C, Ctrl-D and the end of the terminal leave the question', async (t) => {
  for (const keys of ['abc\u0003\r', '\u0004', 'abc', '']) t.equal(await typed(keys), 'prompt_left')
  t.equal(await typed('ab\u0004c\r'), 'abc')
})

const script = '/usr/bin/script'

/** Runs a shell command on a terminal of its own, by `script` of util-linux. */
function onTerminal(t: Test, command: string, env: NodeJS.ProcessEnv) {
  const child = spawn(script, ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      TERM: 'dumb',
      ...env,
    },
  })
  t.teardown(() => child.kill('SIGKILL'))
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text))
  const ended = once(child, 'close').then(([code]) => code as number)
  return {
    ended,
    type: (text: string) => child.stdin.write(text),
    screen: () => screen,
    async shows(text: string) {
      while (!screen.includes(text)) {
        const more = await Promise.race([once(child.stdout, 'data'), ended])
        if (!Array.isArray(more)) throw new Error(`ended with ${more}: ${screen}`)
      }
    },
  }
}

t.test(
  'on a terminal',
  { skip: existsSync(script) ? false : 'script of util-linux is not installed' },
  async (t) => {
    const { url, token, cwd } = await startSender(t)
    const client = createClient({ baseUrl: url, token })
    const [folder] = await client.listFolders()
    const note = { label: 'L', note: 'the note', folderId: folder?.id ?? '', password: 'correct horse' }
    const { link } = await client.createSecret(note)
    const node = `'${process.execPath}' '${program}'`
    const env = { HOME: cwd, SOTTO_URL: url, SOTTO_TOKEN: token }

    // Promise (Clients): A password is typed without being shown
    await t.test('a password is not shown, and the terminal shows again what is typed', async (t) => {
      const open = onTerminal(t, `${node} open --password-prompt ${link.url}; stty -a`, env)
      await open.shows('Password of the link: ')
      open.type('correct horse\r')
      t.equal(await open.ended, 0)
      t.match(open.screen(), /^sotto: opening the link counts; .*\r\nPassword of the link: \r\nthe note\r\n/)
      t.notMatch(open.screen(), 'horse')
      t.match(open.screen(), / echo /)
      t.match(open.screen(), / icanon /)
    })

    // Promise (Clients): A password is typed without being shown: and a signal leaves the terminal as it was
    await t.test('Ctrl-C and a signal restore the terminal', async (t) => {
      const interrupted = onTerminal(
        t,
        `${node} open --password-prompt ${link.url}; echo "code $?"; stty -a`,
        env,
      )
      await interrupted.shows('Password of the link: ')
      interrupted.type('corr\u0003')
      await interrupted.ended
      t.match(interrupted.screen(), /nothing was entered\r\ncode 1\r\n/)
      t.match(interrupted.screen(), / echo /)

      // Node.js restores the terminal itself on SIGINT and SIGTERM, but not on SIGHUP; a shell with job control would, too.
      const command = `sh -c 'echo "pid $$"; exec "$@"' sh ${node} open --password-prompt ${link.url}`
      const killed = onTerminal(t, `${command}; echo "code $?"; stty -a`, env)
      await killed.shows('Password of the link: ')
      const [, pid = ''] = /pid (\d+)/.exec(killed.screen()) ?? []
      process.kill(Number(pid), 'SIGHUP')
      await killed.ended
      t.match(killed.screen(), /code 129\r?\n/)
      t.match(killed.screen(), / echo /)
      t.notMatch(killed.screen(), 'corr')
    })

    await t.test('the note comes through a pipe while the password is typed', async (t) => {
      const share = onTerminal(t, `printf piped | ${node} share --label L --password-prompt`, env)
      await share.shows('Password: ')
      share.type('one\r')
      await share.shows('The same again: ')
      share.type('one\r')
      t.equal(await share.ended, 0)
      const [address = ''] = /http:\S+/.exec(share.screen()) ?? []
      t.equal((await client.openLink(address, { password: 'one' })).note, 'piped')
    })
  },
)

t.test('without a terminal it says what to use instead', async (t) => {
  // A detached process is the leader of a session that has no terminal.
  const args = [program, 'open', '--password-prompt', 'http://localhost/any']
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const [code] = (await once(child, 'close')) as [number]
  t.equal(code, 1)
  t.match(text, /there is no terminal to ask on: use --password-stdin/)
})
