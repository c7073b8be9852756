import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'

async function scriptFor(t: Test, shell: string): Promise<string> {
  const { code, stdout, stderr } = await testCommand(t, { isEmpty: true }).run(['completion', shell])
  t.strictSame({ code, stderr }, { code: 0, stderr: '' })
  return stdout
}

/** Lines typed so far, and what the shell offers for their last word. */
const offers: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['sotto acc', ['account']],
  ['sotto s', ['scripts', 'secret', 'serve', 'share']],
  ['sotto account d', ['delete', 'disable', 'disconnect']],
  ['sotto share --op', ['--open-limit']],
  ['sotto share --burn --pass', ['--password-prompt', '--password-stdin']],
  ['sotto keys --j', []],
  ['sotto keys rotate --j', ['--json']],
  ['sotto nonsense acc', ['account']],
  ['sotto completion --h', ['--help']],
]

t.test('bash offers the commands and options of each place', async (t) => {
  const script = await scriptFor(t, 'bash')
  const offered = (line: string): string[] => {
    const words = line.split(' ')
    const typed = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
    const text = `${script}\n${typed}\n_sotto\nprintf '%s\\n' "\${COMPREPLY[@]}"`
    return linesOf(execFileSync('bash', ['--norc', '-uc', text], { encoding: 'utf8' }))
  }
  for (const [line, words] of offers) t.strictSame(offered(line).sort(), words, line)
  const everything = offered('sotto ')
  for (const name of ['serve', 'doctor', 'completion', 'open']) t.ok(everything.includes(name), name)
  t.strictSame(offered('sotto share --folder s'), [], 'the value of an option is not known')
  t.strictSame(offered('sotto share f'), [], 'files are left to the shell')
})

t.test('fish offers the same', { skip: installed('fish') ? false : 'fish is not installed' }, async (t) => {
  const script = await scriptFor(t, 'fish')
  for (const [line, words] of offers) {
    const text = `${script}\ncomplete -C '${line}'`
    const found = linesOf(execFileSync('fish', ['--no-config', '-c', text], { encoding: 'utf8' }))
    t.strictSame(found.map((word) => word.split('\t')[0]).sort(), words, line)
  }
})

t.test('zsh reads the script', { skip: installed('zsh') ? false : 'zsh is not installed' }, async (t) => {
  const script = await scriptFor(t, 'zsh')
  const text = `autoload -Uz compinit && compinit -D\n${script}\nprint -r -- $_comps[sotto]`
  t.equal(execFileSync('zsh', ['-f', '-c', text], { encoding: 'utf8' }), '_sotto\n')
  // The function itself, with what the completion system gives it and _describe that prints.
  for (const [line, words] of offers) {
    const typed = line.split(' ')
    const state = `words=(${typed.map((word) => `'${word}'`).join(' ')}); CURRENT=${typed.length}; PREFIX='${typed.at(-1) ?? ''}'`
    const print = '_describe() { print -rl -- "${(@)${(P@)2}%%:*}" }; _files() { }'
    const found = linesOf(
      execFileSync('zsh', ['-f', '-c', `${text}\n${print}\n${state}\n_sotto`], { encoding: 'utf8' }),
    )
    const fitting = found.slice(1).filter((word) => word.startsWith(typed.at(-1) ?? ''))
    t.strictSame(fitting.sort(), words, line)
  }
})

t.test('another shell is wrong usage, and --json wraps the script', async (t) => {
  const { run, json } = testCommand(t, { isEmpty: true })
  t.match(await run(['completion', 'tcsh']), {
    code: 2,
    stdout: '',
    stderr: /\(see: sotto completion --help\)\n$/,
  })
  t.match(await json(['completion', 'bash']), { script: /^_sotto\(\) \{/ })
})

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

function installed(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}
