import type { Add } from './cli/command.ts'

interface Group {
  /** The words that the command lines of its commands begin with. */
  readonly names: readonly string[]
  readonly load: () => Promise<{ readonly commands: readonly Add[] }>
}

/** The commands that speak to a service over HTTP: with --json their faults are documents, too. */
const remoteNames = ['login', 'share', 'open', 'unseal', 'verify', 'answer', 'destroy']

/**
 * All commands, in the order of the help. Each group is loaded when one of its commands runs, because most of what it needs is needed by no
 * other. Help and completion follow from what each command adds.
 */
export const groups: readonly Group[] = [
  { names: ['serve', 'init'], load: () => import('./server-commands.ts') },
  {
    names: [
      ...['account', 'folder', 'draft', 'secret', 'request', 'token', 'webhook', 'notification', 'purge'],
      ...['backup', 'restore', 'move', 'keys', 'doctor', 'damage'],
    ],
    load: () => import('./operator-commands.ts'),
  },
  { names: [...remoteNames, 'scripts', 'completion'], load: () => import('./remote-commands.ts') },
]

/** Loads the commands whose lines begin with this word; all of them, for the help, when there are none. */
export async function loadCommands(word: string | undefined): Promise<readonly Add[]> {
  if (word === '--version') return []
  const named = groups.filter(({ names }) => word !== undefined && names.includes(word))
  // A script completes the words of every command.
  const wanted = named.length === 0 || word === 'completion' ? groups : named
  const loaded = await Promise.all(wanted.map(({ load }) => load()))
  return loaded.flatMap(({ commands }) => commands)
}

/** Whether a command line is one of a command that speaks to a service. */
export function isRemote([word = '']: readonly string[]): boolean {
  return remoteNames.includes(word)
}
