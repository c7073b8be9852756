import { readFileSync } from 'node:fs'
import type { TlsOptions } from 'node:tls'
import { err, ok, type Result } from 'neverthrow'

/** One server that may have the database. */
export interface Host {
  /** A name, an address, or the directory of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly ssl: false | Pick<TlsOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized'>
}

/** How to reach a database. Holds the credentials. */
export interface ConnectionUrl {
  /** The hosts in the order in which they are tried. */
  readonly hosts: readonly [Host, ...Host[]]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string
  /** What the names begin with under which `pg_stat_activity` lists the connections. */
  readonly applicationName: string
  /** The address without credentials and options, for messages. */
  readonly location: string
}

const known = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'port', 'application_name'],
  'target_session_attrs',
]

/**
 * Reads a database's URL, with one host or several as libpq takes them: `h1:5432,h2:5433`. Without `sslmode` the connection is encrypted and
 * certificate and host name are verified (`verify-full` of libpq), unless the host is this machine and no file of certificates is named.
 * `sslmode` may be `verify-full` or `disable`; the modes between them do not tell the right server from another one, so they are refused.
 * `target_session_attrs` may say what is always the case: that a server is wanted that can be written.
 * @errors what is wrong, without any part of the URL
 */
export function readUrl(text: string): Result<ConnectionUrl, string> {
  const urls = urlsOf(text)
  const [url] = urls
  if (url === undefined) return err('it is not a URL of the form postgres://user:password@host:port/database')
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    return err('it must begin with postgres://')
  // A / or a # in a password, which ends the host, is noticed here, instead of taking the rest for the database and showing it in messages.
  if ((url.pathname + url.search + url.hash).includes('@'))
    return err('it has an @ after the host: in user and password, / is %2F, # is %23, ? is %3F and @ is %40')
  if (url.hash !== '') return err('it has a #, which is %23 in user, password and database')
  if (!urls.every(areEncoded))
    return err('it has a % that begins no encoded character, or one that encodes NUL')
  return readParts(url, urls)
}

/** The URL once for each of its hosts, which `URL` cannot read together; none when one of them cannot be read. */
function urlsOf(text: string): readonly URL[] {
  const [, before = '', hosts = '', after = ''] =
    /^([^/?#]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  const urls = hosts.split(',').map((host) => URL.parse(before + host + after))
  return urls.every((url) => url !== null) ? urls : []
}

function readParts(url: URL, urls: readonly URL[]): Result<ConnectionUrl, string> {
  const options = url.searchParams
  const unknown = [...options.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) return err(`it has an option that is not known; known are: ${known.join(', ')}`)
  if (new Set(options.keys()).size < options.size) return err('it has an option twice')
  if (!isPlainName(nameOf(options))) return err('application_name must be at most 50 characters of ASCII')
  if (!['read-write', 'primary'].includes(options.get('target_session_attrs') ?? 'primary'))
    return err('target_session_attrs must be read-write or primary: a standby is never used')
  const database = decodeURIComponent(url.pathname.slice(1))
  if (database === '') return err('it names no database')
  const places = placesOf(options, urls)
  return hostsOf(options, places).map((hosts) => ({
    hosts,
    user: textOf(url.username),
    password: textOf(url.password),
    database,
    applicationName: nameOf(options),
    location: locationOf(places, url),
  }))
}

/** A host with its port as it is written. */
interface Place {
  readonly host: string
  readonly port: string | undefined
}

/**
 * The places of a URL. Its options may have `host` and `port` instead, also for several hosts, as in libpq. Then one port is that of all
 * hosts.
 */
function placesOf(options: URLSearchParams, urls: readonly URL[]): readonly Place[] {
  const hosts = options.get('host')?.split(',') ?? urls.map(({ hostname }) => hostIn(hostname))
  const ports = options.get('port')?.split(',') ?? urls.map(({ port }) => port)
  const isFit = ports.length === 1 || ports.length === hosts.length
  return hosts.map((host, at) => ({ host, port: isFit ? (ports[at] ?? ports[0]) : undefined }))
}

function hostIn(hostname: string): string {
  return decodeURIComponent(hostname.replace(/^\[(.+)\]$/, '$1'))
}

function hostsOf(options: URLSearchParams, places: readonly Place[]): Result<ConnectionUrl['hosts'], string> {
  const hosts: Host[] = []
  for (const { host, port } of places) {
    if (host === '') return err('it names no host')
    if (port === undefined || !/^\d{0,5}$/.test(port) || Number(port) > 65_535)
      return err('it must have a port for each host, or one for all')
    const ssl = sslOf(options, isThisMachine(host))
    if (ssl.isErr()) return err(ssl.error)
    hosts.push({ host, port: port === '' ? 5432 : Number(port), ssl: ssl.value })
  }
  return ok(hosts as [Host, ...Host[]])
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

/** Where the connections go to, also when an option says so. */
function locationOf(places: readonly Place[], { pathname }: URL): string {
  if (places.some(({ host }) => host.startsWith('/')))
    return `postgres://${pathname}?host=${places.map(({ host }) => host).join(',')}`
  const written = places.map(({ host, port = '' }) => placeText(host, port))
  return `postgres://${written.join(',')}${pathname}`
}

/** A host with its port, for messages. */
export function placeText(host: string, port: number | string): string {
  return `${host.includes(':') ? `[${host}]` : host}${port === '' ? '' : `:${port}`}`
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

function sslOf(options: URLSearchParams, isLocal: boolean): Result<Host['ssl'], string> {
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
