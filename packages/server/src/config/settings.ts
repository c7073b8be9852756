import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Policy } from '@sotto/core'
import { brandingRules, isTrustedProxy } from '@sotto/http-fastify'
import { err, ok, type Result } from 'neverthrow'
import Type, { type StaticDecode, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { readEnvironment, type Environment } from './environment.ts'
import { readLogo } from './logo-file.ts'
import { nearest } from './nearest.ts'
import { isBareOrigin, isHost, isWholeNumber, partsOf } from './setting-rules.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * The environment variables that configure an installation: the only place that knows their names, defaults, bounds and meaning.
 * Validation, documentation and help are made from it.
 */
export const settingsSchema = Type.Object({
  SOTTO_ENV_FILE: Type.Optional(
    path({
      derived: '`./sotto.env` if there is one',
      description:
        'The settings file. Its lines `NAME=value` are read as `node --env-file` reads them, and set what the environment does not ' +
        'set. It may hold only settings of this page other than this one, and only its owner may have access to it (mode 0600).',
    }),
  ),
  SOTTO_HOST: setting({
    default: '127.0.0.1',
    takes: 'an IP address or a host name',
    description:
      'The address to listen on. The default is reachable from this machine only. `0.0.0.0` or `::` listens on every address: ' +
      'put the server behind a proxy that speaks TLS then.',
    accepts: isHost,
    read: (text) => text,
  }),
  SOTTO_PORT: wholeNumber({
    default: '3000',
    min: 0,
    max: 65_535,
    description: 'The TCP port to listen on. With `0`, `serve` chooses a free port and prints it.',
  }),
  SOTTO_BASE_URL: Type.Optional(
    origin({
      derived: '`http://localhost:{port}`',
      description:
        'The origin at which clients reach the API, and owners their pages; one-time links begin with it. With https, session cookies ' +
        'are sent over https only. If its host differs from the host of `SOTTO_LINK_BASE_URL`, each host ' +
        'answers its own paths only, and requests for any other host get a 404.',
    }),
  ),
  SOTTO_LINK_BASE_URL: Type.Optional(
    origin({
      derived: 'the value of `SOTTO_BASE_URL`',
      description: 'The origin at which recipients reach this server. The links of secrets begin with it.',
    }),
  ),
  SOTTO_DATA_DIR: path({
    default: './data',
    description:
      'The directory of the SQLite files, relative to the working directory. It is created when it is missing. All ' +
      'confidential data in it is encrypted. Use a local disk.',
  }),
  SOTTO_KEYS_FILE: path({
    default: './keys/sotto-keys.json',
    description:
      'The file with the keys, outside `SOTTO_DATA_DIR`, so that a copy of the data does not contain its keys. It is created, ' +
      'readable by its owner only, on the very first use. Without it the data cannot be read: keep a copy elsewhere.',
  }),
  SOTTO_TRUST_PROXY: setting({
    default: '',
    takes:
      'addresses and CIDR ranges separated by commas, IPv4 ranges of /8 or narrower, IPv6 ranges of /7 or narrower',
    description:
      "The reverse proxies whose `X-Forwarded-*` headers are believed about a client's address and protocol. None when empty: behind a proxy " +
      'everybody then has the address of the proxy, so that failed sign-ins by anybody lock everybody out.',
    accepts: (text) => partsOf(text).every(isTrustedProxy),
    read: partsOf,
  }),
  SOTTO_LIMIT_PER_MINUTE: wholeNumber({
    default: '60',
    min: 1,
    max: 1_000_000,
    description: 'How many API requests an account may make in a minute.',
  }),
  SOTTO_LIMIT_PER_DAY: wholeNumber({
    default: '1440',
    min: 1,
    max: 1_000_000_000,
    description: 'How many API requests an account may make in a day.',
  }),
  SOTTO_NOTE_MAX_BYTES: wholeNumber({
    default: '65536',
    min: 1,
    max: 1_048_576,
    description: 'The largest note, in bytes of UTF-8.',
  }),
  SOTTO_NAME: setting({
    default: 'Sotto',
    takes: 'a name of 1 to 40 characters, without control characters and without spaces at either end',
    description: 'What the service is called on its pages.',
    accepts: brandingRules.name,
    read: (text) => text,
  }),
  SOTTO_LOGO_FILE: Type.Optional(
    path({
      derived: "Sotto's mark",
      description:
        'The picture beside the name: a PNG file, or an SVG file that is nothing but a drawing, without scripts, event attributes, ' +
        'embedded pictures and references to anything outside it. 100 KiB at most; it is a part of every page, so keep it small.',
    }),
  ),
  SOTTO_ACCENT: Type.Optional(
    setting({
      derived: 'a dark green',
      takes:
        'a colour such as #0e5f57, with a contrast of at least 4.5:1 to the light background of the pages',
      description:
        'The colour of buttons and links. Dark mode shows a lighter shade of it, with the same contrast to the dark background ' +
        '(WCAG 2.2, level AA).',
      accepts: brandingRules.accent,
      read: (text) => text,
    }),
  ),
  SOTTO_CONTACT: Type.Optional(
    setting({
      derived: 'none',
      takes: 'an email address, or a URL that begins with https:// or http://',
      description: 'Whom a recipient can ask for help. Shown on the page of a link that has no message.',
      accepts: brandingRules.contact,
      read: (text) => text,
    }),
  ),
  SOTTO_LOG_LEVEL: setting({
    default: 'info',
    takes: `one of ${logLevels.join(', ')}`,
    description: 'The lowest level that is logged. The log is written to standard error as lines of JSON.',
    accepts: (text) => logLevels.some((level) => level === text),
    read: (text) => text as LogLevel,
  }),
})

/** How an installation is configured. */
export type Settings = ReturnType<typeof settingsOf>

/** `errors` has one sentence for each invalid setting, without its value. */
export interface SettingsInvalid {
  readonly code: 'settings_invalid'
  readonly errors: readonly string[]
}

/**
 * Reads the settings from an environment and the settings file below it. Variables of the environment whose names do not begin with
 * `SOTTO_`, and those that Kubernetes sets for a Service, are ignored.
 *
 * @param cwd the directory that relative paths start from
 * @errors `settings_invalid` with every error at once: values that break a rule, unknown `SOTTO_*` variables, unknown names in the
 * settings file, and a settings file that cannot be read or that other users can read
 */
export function readSettings(env: NodeJS.ProcessEnv, cwd: string): Result<Settings, SettingsInvalid> {
  return checkSettings(readEnvironment(env, cwd), cwd)
}

/** What {@link readSettings} does, with an environment that was read already. */
export function checkSettings(
  { values, namesInFile, errors: fileErrors }: Environment,
  cwd: string,
): Result<Settings, SettingsInvalid> {
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => name.startsWith('SOTTO_')))
  const complete = Value.Default(settingsSchema, given)
  const logo = readLogo(values['SOTTO_LOGO_FILE'], cwd)
  const errors = [
    ...fileErrors,
    ...ruleErrors(complete as Record<string, unknown>),
    ...unknownNames(Object.keys(values), namesInFile),
    ...(logo.isErr() ? [logo.error] : []),
  ]
  if (logo.isErr() || errors.length > 0) return err({ code: 'settings_invalid', errors })
  const settings = settingsOf(Value.Decode(settingsSchema, complete), logo.value, cwd)
  if (!isInside(settings.keysFile, settings.dataDir)) return ok(settings)
  const error = 'SOTTO_KEYS_FILE must be outside SOTTO_DATA_DIR: a copy of the data must not contain its keys'
  return err({ code: 'settings_invalid', errors: [error] })
}

/** Changes the names from the environment's to the code's, and fills in defaults that depend on other settings. */
function settingsOf(decoded: StaticDecode<typeof settingsSchema>, logo: Uint8Array | undefined, cwd: string) {
  const port = decoded.SOTTO_PORT
  const baseUrl = decoded.SOTTO_BASE_URL ?? new URL(`http://localhost:${port}`).origin
  const policy: Policy = {
    noteMaxBytes: decoded.SOTTO_NOTE_MAX_BYTES,
    quota: { perMinute: decoded.SOTTO_LIMIT_PER_MINUTE, perDay: decoded.SOTTO_LIMIT_PER_DAY },
  }
  return {
    host: decoded.SOTTO_HOST,
    port,
    baseUrl,
    linkBaseUrl: decoded.SOTTO_LINK_BASE_URL ?? baseUrl,
    dataDir: resolve(cwd, decoded.SOTTO_DATA_DIR),
    keysFile: resolve(cwd, decoded.SOTTO_KEYS_FILE),
    trustProxy: decoded.SOTTO_TRUST_PROXY,
    policy,
    logLevel: decoded.SOTTO_LOG_LEVEL,
    branding: {
      name: decoded.SOTTO_NAME,
      logo,
      accent: decoded.SOTTO_ACCENT,
      contact: decoded.SOTTO_CONTACT,
    },
  }
}

/** Each value is checked by itself, because TypeBox stops after eight errors of one object. */
function ruleErrors(given: Record<string, unknown>): string[] {
  return Object.entries<TSchema>(settingsSchema.properties).flatMap(([name, schema]) => {
    const text = given[name]
    if (text === undefined || Value.Check(schema, text)) return []
    const { takes } = schema as unknown as { takes: string }
    return text === ''
      ? [`${name} must not be empty: set ${takes}, or unset it`]
      : [`${name} must be ${takes}`]
  })
}

/**
 * An error for each unknown name: a misspelt one would silently leave a default in force. The settings file may hold nothing else, so
 * there a name need not begin with `SOTTO_` to be an error.
 */
function unknownNames(names: readonly string[], namesInFile: readonly string[]): string[] {
  const known = Object.keys(settingsSchema.properties)
  const unknown = names.filter(
    (name) => !known.includes(name) && (/^SOTTO_/i.test(name) || namesInFile.includes(name)),
  )
  return unknown.map((name) => {
    const isInFile = namesInFile.includes(name)
    const place = isInFile ? ' in the settings file' : ''
    if (!/^\w{1,64}$/.test(name)) {
      return `a variable ${isInFile ? 'in the settings file' : 'whose name begins with SOTTO_'} is not a setting`
    }
    const isSimilar = /^SOTTO_/i.test(name)
    return `${name}${place} is not a setting${isSimilar ? `; the nearest is ${nearest(name.toUpperCase(), known)}` : ''}`
  })
}

function isInside(file: string, directory: string): boolean {
  const path = relative(realPathOf(directory), realPathOf(file))
  return path !== '..' && !path.startsWith('../') && !isAbsolute(path)
}

/** The path with its symbolic links resolved, as far as it exists, so that two spellings of one place are recognised. */
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

function path(options: { default?: string; derived?: string; description: string }) {
  return setting({ ...options, takes: 'a path', accepts: (text) => text !== '', read: (text) => text })
}

function origin(options: { derived: string; description: string }) {
  const takes = 'a bare origin in lower case, such as https://sotto.example.org: no path, no slash at its end'
  return setting({ ...options, takes, accepts: isBareOrigin, read: (text) => text })
}

/** The schema of one variable. `accepts` checks its value; `takes` describes the same rule in words. */
function setting<T>(options: {
  readonly description: string
  readonly takes: string
  readonly default?: string
  /** In Markdown: a default that depends on another setting. */
  readonly derived?: string
  readonly accepts: (text: string) => boolean
  readonly read: (text: string) => T
}) {
  const { accepts, read, ...documented } = options
  return Type.Decode(Type.Refine(Type.String(documented), accepts), read)
}
