import { realpathSync } from 'node:fs'
import { basename, dirname, resolve, relative, isAbsolute, join } from 'node:path'
import { err, ok, type Result } from 'neverthrow'
import Type, { type StaticDecode, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { nearest } from './nearest.ts'
import { isBareOrigin, isHost, isProxyRange, isWholeNumber, partsOf } from './setting-rules.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * The environment variables that configure an installation: the one place that knows their names, defaults, bounds and
 * meaning. What validates them, the documentation and the help are all made from it.
 */
export const settingsSchema = Type.Object({
  SOTTO_HOST: setting({
    default: '127.0.0.1',
    takes: 'an IP address or a host name',
    description:
      'The address to listen on. The default is reachable from this machine only; `0.0.0.0` or `::` listens everywhere, ' +
      'which belongs behind a proxy that speaks TLS.',
    accepts: isHost,
    read: (text) => text,
  }),
  SOTTO_PORT: wholeNumber({
    default: '3000',
    min: 0,
    max: 65_535,
    description: 'The TCP port to listen on. `0` takes a free one, which `serve` prints.',
  }),
  SOTTO_BASE_URL: Type.Optional(
    origin({
      derived: '`http://localhost:{port}`',
      description:
        'The origin under which clients reach the API. If its host differs from that of `SOTTO_LINK_BASE_URL`, each host ' +
        'answers its own paths only, and unknown hosts get a 404.',
    }),
  ),
  SOTTO_LINK_BASE_URL: Type.Optional(
    origin({
      derived: 'the value of `SOTTO_BASE_URL`',
      description: 'The origin that the links of secrets begin with: where recipients reach this server.',
    }),
  ),
  SOTTO_DATA_DIR: path({
    default: './data',
    description:
      'The directory of the SQLite files, relative to the working directory. It is made when it is missing. Everything ' +
      'confided in it is encrypted; keep it on a local disk.',
  }),
  SOTTO_KEYS_FILE: path({
    default: './keys/sotto-keys.json',
    description:
      'The file with the keys, outside of `SOTTO_DATA_DIR`, so that no copy of the data carries its keys. It is made, ' +
      'readable by its owner only, on the very first use. Without it the data cannot be read: keep a copy elsewhere.',
  }),
  SOTTO_TRUST_PROXY: setting({
    default: '',
    takes:
      'addresses and CIDR ranges separated by commas, IPv4 ranges of /8 or narrower, IPv6 ranges of /7 or narrower',
    description:
      "The reverse proxies whose `X-Forwarded-*` headers tell a client's address and protocol. Empty trusts nobody.",
    accepts: (text) => partsOf(text).every(isProxyRange),
    read: partsOf,
  }),
  SOTTO_LIMIT_PER_MINUTE: wholeNumber({
    default: '60',
    min: 1,
    max: 1_000_000,
    description: 'API requests that an account may make in a minute.',
  }),
  SOTTO_LIMIT_PER_DAY: wholeNumber({
    default: '1440',
    min: 1,
    max: 1_000_000_000,
    description: 'API requests that an account may make in a day.',
  }),
  SOTTO_NOTE_MAX_BYTES: wholeNumber({
    default: '65536',
    min: 1,
    max: 1_048_576,
    description: 'The largest note, in bytes of UTF-8.',
  }),
  SOTTO_LOG_LEVEL: setting({
    default: 'info',
    takes: `one of ${logLevels.join(', ')}`,
    description: 'What is logged, as lines of JSON on standard error: this level and those that are graver.',
    accepts: (text) => logLevels.some((level) => level === text),
    read: (text) => text as LogLevel,
  }),
})

/** How an installation is configured. */
export type Settings = ReturnType<typeof settingsOf>

/** `faults` has one sentence for each setting at fault, without its value. */
export interface SettingsInvalid {
  readonly code: 'settings_invalid'
  readonly faults: readonly string[]
}

/**
 * Reads the settings from an environment, other variables than `SOTTO_*` aside.
 *
 * @param cwd the directory that relative paths start from
 * @errors `settings_invalid` with every fault at once: texts that break a rule, and unknown `SOTTO_*` variables
 */
export function readSettings(env: NodeJS.ProcessEnv, cwd: string): Result<Settings, SettingsInvalid> {
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('SOTTO_')))
  const complete = Value.Default(settingsSchema, given)
  const faults = [...ruleFaults(complete as Record<string, unknown>), ...unknownFaults(Object.keys(env))]
  if (faults.length > 0) return err({ code: 'settings_invalid', faults })
  const settings = settingsOf(Value.Decode(settingsSchema, complete), cwd)
  if (!lies(settings.keysFile, settings.dataDir)) return ok(settings)
  const fault =
    'SOTTO_KEYS_FILE must lie outside of SOTTO_DATA_DIR: a copy of the data must not carry its keys'
  return err({ code: 'settings_invalid', faults: [fault] })
}

/** Names change here, from the environment's to the code's, and defaults that follow other settings are filled in. */
function settingsOf(decoded: StaticDecode<typeof settingsSchema>, cwd: string) {
  const port = decoded.SOTTO_PORT
  const baseUrl = decoded.SOTTO_BASE_URL ?? new URL(`http://localhost:${port}`).origin
  return {
    host: decoded.SOTTO_HOST,
    port,
    baseUrl,
    linkBaseUrl: decoded.SOTTO_LINK_BASE_URL ?? baseUrl,
    dataDir: resolve(cwd, decoded.SOTTO_DATA_DIR),
    keysFile: resolve(cwd, decoded.SOTTO_KEYS_FILE),
    trustProxy: decoded.SOTTO_TRUST_PROXY,
    limits: {
      noteMaxBytes: decoded.SOTTO_NOTE_MAX_BYTES,
      quota: { perMinute: decoded.SOTTO_LIMIT_PER_MINUTE, perDay: decoded.SOTTO_LIMIT_PER_DAY },
    },
    logLevel: decoded.SOTTO_LOG_LEVEL,
  }
}

/** Judged one by one: TypeBox stops after eight errors of one value. */
function ruleFaults(given: Record<string, unknown>): string[] {
  return Object.entries<TSchema>(settingsSchema.properties).flatMap(([name, schema]) => {
    const text = given[name]
    if (text === undefined || Value.Check(schema, text)) return []
    const { takes } = schema as unknown as { takes: string }
    return text === ''
      ? [`${name} must not be empty: set ${takes}, or unset it`]
      : [`${name} must be ${takes}`]
  })
}

/** A misspelt name would silently leave a default in force. */
function unknownFaults(names: readonly string[]): string[] {
  const known = Object.keys(settingsSchema.properties)
  const unknown = names.filter((name) => /^SOTTO_/i.test(name) && !known.includes(name))
  return unknown.map((name) =>
    /^\w{1,64}$/.test(name)
      ? `${name} is not a setting; the nearest is ${nearest(name.toUpperCase(), known)}`
      : 'a variable whose name begins with SOTTO_ is not a setting',
  )
}

function lies(file: string, directory: string): boolean {
  const path = relative(realPathOf(directory), realPathOf(file))
  return path !== '..' && !path.startsWith('../') && !isAbsolute(path)
}

/** Where a path leads through symbolic links, as far as it is there yet: two spellings must not hide that they are one place. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPathOf(parent), basename(path))
  }
}

function wholeNumber(options: { default: string; min: number; max: number; description: string }) {
  const { min, max } = options
  return setting({
    default: options.default,
    takes: `a whole number from ${min} to ${max}`,
    description: options.description,
    accepts: (text) => isWholeNumber(text, { min, max }),
    read: Number,
  })
}

function path(options: { default: string; description: string }) {
  return setting({ ...options, takes: 'a path', accepts: (text) => text !== '', read: (text) => text })
}

function origin(options: { derived: string; description: string }) {
  const takes = 'a bare origin in lower case, such as https://sotto.example.org: no path, no slash at its end'
  return setting({ ...options, takes, accepts: isBareOrigin, read: (text) => text })
}

/** The schema of one variable. Its texts are judged by `accepts`; `takes` says the same in words. */
function setting<T>(options: {
  readonly description: string
  readonly takes: string
  readonly default?: string
  /** In Markdown, for a default that follows another setting. */
  readonly derived?: string
  readonly accepts: (text: string) => boolean
  readonly read: (text: string) => T
}) {
  const { accepts, read, ...documented } = options
  return Type.Decode(Type.Refine(Type.String(documented), accepts), read)
}
