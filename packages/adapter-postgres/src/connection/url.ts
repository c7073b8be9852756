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
  /** The name under which `pg_stat_activity` lists the connections. */
  readonly applicationName: string
  /** The address without credentials and options, for messages. */
  readonly location: string
}

const known = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'application_name']

/**
 * Reads a database's URL. Without `sslmode` the connection is encrypted and certificate and host name are verified (`verify-full` of libpq),
 * unless the host is this machine. `sslmode` may be `verify-full` or `disable`; the modes between them do not tell the right server from
 * another one, so they are refused.
 * @errors what is wrong, without any part of the URL
 */
export function readUrl(text: string): Result<ConnectionUrl, string> {
  if (!URL.canParse(text))
    return err('it is not a URL of the form postgres://user:password@host:port/database')
  const url = new URL(text)
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    return err('it must begin with postgres://')
  return areEncoded(url) ? readParts(url) : err('it has a % that begins no encoded character')
}

function readParts(url: URL): Result<ConnectionUrl, string> {
  const options = url.searchParams
  const unknown = [...options.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) return err(`it has an option that is not known; known are: ${known.join(', ')}`)
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
    applicationName: options.get('application_name') ?? 'sotto',
    location: `postgres://${host.startsWith('/') ? '' : url.host}/${database}${host.startsWith('/') ? `?host=${host}` : ''}`,
  }))
}

/** Whether every part can be decoded: in a password, % stands for itself only as %25. */
function areEncoded({ username, password, hostname, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + hostname + pathname)
    return true
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
  const mode = options.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full')
  if (mode === 'disable') return ok(false)
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
