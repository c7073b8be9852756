import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { NoPassword } from './errors.ts'

/** The server, database and user that a password is for. */
export interface PasswordFor {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

/**
 * The password in the file that `PGPASSFILE` names, `~/.pgpass` by default, as libpq finds it
 * (https://www.postgresql.org/docs/current/libpq-pgpass.html). It is read for each new connection, so that a password can be changed while
 * a server runs. Throws {@link NoPassword} when there is none, or when the file is open to others; libpq ignores such a file.
 * @param env the environment of the process by default
 */
export async function passwordFromFile(
  wanted: PasswordFor,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const lines = await linesOf(pathIn(env))
  const others = [String(wanted.port), wanted.database, wanted.user]
  const hosts = hostsOf(wanted)
  for (const [lineHost, ...fields] of lines.map(fieldsOf)) {
    const isMeant =
      hosts.some((host) => matches(lineHost, host)) && others.every((value, at) => matches(fields[at], value))
    const password = fields[others.length]
    if (isMeant && password !== undefined && password !== '') return unescaped(password)
  }
  throw new NoPassword('the server asks for a password; the URL, PGPASSWORD and the password file have none')
}

/**
 * What a line may call the host. libpq calls the usual directory of Unix sockets localhost, and any other one by its path; which one is
 * usual depends on how libpq was built.
 */
function hostsOf({ host }: PasswordFor): readonly string[] {
  return host.startsWith('/') ? ['localhost', host] : [host]
}

/** An empty variable counts as none. */
function pathIn({ PGPASSFILE: file = '', HOME: home = '' }: NodeJS.ProcessEnv): string {
  return file === '' ? join(home === '' ? homedir() : home, '.pgpass') : file
}

/** None when there is no file. */
async function linesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return []
  if (!found.isFile()) throw new NoPassword('the password file is no plain file')
  if ((found.mode & 0o077) !== 0)
    throw new NoPassword('others have access to the password file: make its mode 0600')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new NoPassword('the password file cannot be read')
  })
  return text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
}

/** The parts between colons, as they are written. */
function fieldsOf(line: string): readonly string[] {
  return line.match(/(?<=^|:)(?:\\.|[^\\:])*/g) ?? []
}

/** A backslash takes the next character for itself. */
function unescaped(field: string): string {
  return field.replaceAll(/\\(.)/g, '$1')
}

/** An escaped star is a star, which matches nothing else. */
function matches(field: string | undefined, value: string): boolean {
  return field === '*' || (field !== undefined && unescaped(field) === value)
}
