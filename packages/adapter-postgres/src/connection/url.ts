import { readFileSync } from 'node:fs'
import type { TlsOptions } from 'node:tls'
import { err, ok, type Result } from 'neverthrow'

/** How to reach a database. */
export interface ConnectionUrl {
  /** For pg. Holds the credentials. */
  readonly config: {
    readonly host: string
    readonly port: number
    readonly user: string | undefined
    readonly password: string | undefined
    readonly database: string
    readonly ssl: false | Pick<TlsOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized'>
  }
  /** What the names begin with under which `pg_stat_activity` lists the connections. */
  readonly applicationName: string
  /** The address without credentials and options, for messages. */
  readonly location: string
}

const known = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'application_name']

/**
 * Reads a database's URL. Without `sslmode` the connection is encrypted and certificate and host name are verified (`verify-full` of
 * libpq), unless the host is this machine and no file of certificates is named. `sslmode` may be `verify-full` or `disable`; the modes
 * between them do not tell the right server from another one, so they are refused.
 * @errors what is wrong, without any part of the URL
 */
export function readUrl(text: string): Result<ConnectionUrl, string> {
  if (!URL.canParse(text))
    return err('it is not a URL of the form postgres://user:password@host:port/database')
  const url = new URL(text)
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    return err('it must begin with postgres://')
  // So a / or a # in a password, which ends the host, is noticed, instead of taking the rest for the database and showing it in messages.
  if ((url.pathname + url.search + url.hash).includes('@'))
    return err('it has an @ after the host: in user and password, / is %2F, # is %23, ? is %3F and @ is %40')
  if (url.hash !== '') return err('it has a #, which is %23 in user, password and database')
  if (!areEncoded(url)) return err('it has a % that begins no encoded character, or one that encodes NUL')
  return readParts(url)
}

function readParts(url: URL): Result<ConnectionUrl, string> {
  const options = url.searchParams
  const unknown = [...options.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) return err(`it has an option that is not known; known are: ${known.join(', ')}`)
  if (new Set(options.keys()).size < options.size) return err('it has an option twice')
  if (!isPlainName(nameOf(options))) return err('application_name must be at most 50 characters of ASCII')
  const database = decodeURIComponent(url.pathname.slice(1))
  if (database === '') return err('it names no database')
  // As in libpq, `host` names the directory of a Unix socket.
  const host = options.get('host') ?? decodeURIComponent(url.hostname.replace(/^\[(.+)\]$/, '$1'))
  if (host === '') return err('it names no host')
  const port = url.port === '' ? 5432 : Number(url.port)
  return sslOf(options, isThisMachine(host)).map((ssl) => ({
    config: {
      host,
      port,
      user: textOf(url.username),
      password: textOf(url.password),
      database,
      ssl,
    },
    applicationName: nameOf(options),
    location: locationOf(host, url),
  }))
}

/** pg would take an empty name for none, and read `PGAPPNAME`. */
function nameOf(options: URLSearchParams): string {
  const name = options.get('application_name') ?? ''
  return name === '' ? 'sotto' : name
}

/** Whether the server lists the connections under this name: it cuts off after 63 bytes and replaces what is not ASCII. */
function isPlainName(name: string): boolean {
  return /^[ -~]{1,50}$/.test(name)
}

/** Where the connection goes to, also when an option says so. */
function locationOf(host: string, { port, pathname }: URL): string {
  if (host.startsWith('/')) return `postgres://${pathname}?host=${host}`
  return `postgres://${host.includes(':') ? `[${host}]` : host}${port === '' ? '' : `:${port}`}${pathname}`
}

/** Whether every part can be decoded: in a password, % stands for itself only as %25. NUL ends a text in PostgreSQL's protocol. */
function areEncoded({ username, password, hostname, pathname, searchParams }: URL): boolean {
  try {
    const parts = decodeURIComponent(username + password + hostname + pathname)
    return !parts.includes('\0') && ![...searchParams.values()].join('').includes('\0')
  } catch {
    return false
  }
}

function textOf(encoded: string): string | undefined {
  return encoded === '' ? undefined : decodeURIComponent(encoded)
}

function isThisMachine(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function sslOf(options: URLSearchParams, isLocal: boolean): Result<ConnectionUrl['config']['ssl'], string> {
  const namesFile = ['sslrootcert', 'sslcert', 'sslkey'].some((name) => options.has(name))
  const mode = options.get('sslmode') ?? (isLocal && !namesFile ? 'disable' : 'verify-full')
  if (mode === 'disable')
    return namesFile ? err('sslmode is disable, but it names a file of certificates') : ok(false)
  if (mode !== 'verify-full')
    return err('sslmode must be verify-full or disable: no other mode verifies the server')
  const file = (name: string): Buffer | undefined => {
    const path = options.get(name)
    return path === null ? undefined : readFileSync(path)
  }
  try {
    return ok({
      rejectUnauthorized: true,
      ca: file('sslrootcert'),
      cert: file('sslcert'),
      key: file('sslkey'),
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error'
    return err(`a file that sslrootcert, sslcert or sslkey names cannot be read (${code})`)
  }
}
