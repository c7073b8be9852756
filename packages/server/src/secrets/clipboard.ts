import { spawn } from 'node:child_process'

/** Programs that take a text for the clipboard from standard input, and the variable without which they cannot work. */
const programs = [
  { name: 'wl-copy', args: [], needs: 'WAYLAND_DISPLAY' },
  { name: 'xclip', args: ['-selection', 'clipboard'], needs: 'DISPLAY' },
  { name: 'xsel', args: ['--clipboard', '--input'], needs: 'DISPLAY' },
  { name: 'pbcopy', args: [], needs: undefined },
] as const

export type Copied = 'copied' | 'no_program' | 'failed'

/** Puts a text on the clipboard with the first of the programs that is installed and fits the desktop. */
export async function copyText(text: string, env: NodeJS.ProcessEnv): Promise<Copied> {
  let outcome: Copied = 'no_program'
  for (const { name, args, needs } of programs) {
    if (needs !== undefined && (env[needs] ?? '') === '') continue
    const ended = await copyWith(name, args, { text, env })
    if (ended === 'copied') return ended
    if (ended === 'failed') outcome = ended
  }
  return outcome
}

function copyWith(
  name: string,
  args: readonly string[],
  { text, env }: { readonly text: string; readonly env: NodeJS.ProcessEnv },
): Promise<Copied> {
  return new Promise((resolve) => {
    // Some of them stay in the background to keep the text, so they must not keep our pipes open.
    const child = spawn(name, args, { env, stdio: ['pipe', 'ignore', 'ignore'] })
    child.on('error', () => resolve('no_program'))
    child.on('exit', (code) => resolve(code === 0 ? 'copied' : 'failed'))
    child.stdin.on('error', () => undefined) // the program ended early; its exit code says so
    child.stdin.end(text)
  })
}
