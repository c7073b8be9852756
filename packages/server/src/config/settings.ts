import type { IdentityPolicy } from '@sotto/identity'
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Policy } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { StaticDecode, TSchema } from 'typebox'
import * as Value from 'typebox/value'
import { readEnvironment, type Environment } from './environment.ts'
import { readLogo } from './logo-file.ts'
import { nearest } from './nearest.ts'
import { spelledOrigin } from './setting-kinds.ts'
import { bothOrNeither } from './setting-rules.ts'
import { settingsSchema } from './settings-schema.ts'
import { readSsoFiles, type SsoFiles } from './sso-files.ts'
import { singleSignOnOf, ssoErrors } from './sso-settings.ts'

/** The highest TCP port. */
const portMax = 65_535

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
 * @errors `settings_invalid` with all errors together: values that break a rule, unknown `SOTTO_*` variables, unknown names in the settings
 * file; a settings file that cannot be read, or that other users can read
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
  const ssoFiles = readSsoFiles(values, cwd)
  const errors = [
    ...fileErrors,
    ...ruleErrors(complete as Record<string, unknown>),
    ...unknownNames(Object.keys(values), namesInFile),
    ...(logo.isErr() ? [logo.error] : []),
    ...(ssoFiles.isErr() ? ssoFiles.error : []),
    ...bothOrNeither(values, 'SOTTO_SMTP_URL', 'SOTTO_MAIL_FROM'),
    ...ssoErrors(complete as NodeJS.ProcessEnv),
    ...portErrors(complete as NodeJS.ProcessEnv),
  ]
  if (logo.isErr() || ssoFiles.isErr() || errors.length > 0) return err({ code: 'settings_invalid', errors })
  const decoded = Value.Decode(settingsSchema, complete)
  const settings = settingsOf(decoded, {
    logo: logo.value,
    ssoFiles: ssoFiles.value,
    cwd,
    isLevelSet: values['SOTTO_LOG_LEVEL'] !== undefined,
  })
  if (!isInside(settings.keysFile, settings.dataDir)) return ok(settings)
  const error = 'SOTTO_KEYS_FILE must be outside SOTTO_DATA_DIR: a copy of the data must not contain its keys'
  return err({ code: 'settings_invalid', errors: [error] })
}

/** Changes the names from the environment's to the code's, and fills in defaults that depend on other settings. */
function settingsOf(
  decoded: StaticDecode<typeof settingsSchema>,
  {
    logo,
    ssoFiles,
    cwd,
    isLevelSet,
  }: {
    readonly logo: Uint8Array | undefined
    readonly ssoFiles: SsoFiles
    readonly cwd: string
    readonly isLevelSet: boolean
  },
) {
  const port = decoded.SOTTO_PORT
  const baseUrl = decoded.SOTTO_BASE_URL ?? new URL(`http://localhost:${port}`).origin
  const policy: Policy & IdentityPolicy = {
    noteMaxBytes: decoded.SOTTO_NOTE_MAX_BYTES,
    files: {
      maxBytes: decoded.SOTTO_FILE_MAX_BYTES,
      accountMaxBytes: decoded.SOTTO_FILES_MAX_BYTES,
      diskReserveBytes: decoded.SOTTO_DISK_RESERVE_BYTES,
    },
    quota: { perMinute: decoded.SOTTO_LIMIT_PER_MINUTE, perDay: decoded.SOTTO_LIMIT_PER_DAY },
    signIn: { passwords: decoded.SOTTO_PASSWORD_SIGN_IN, allowed: decoded.SOTTO_OIDC_ALLOW },
  }
  return {
    host: decoded.SOTTO_HOST,
    port,
    /** How many processes serve. */
    workers: decoded.SOTTO_WORKERS,
    /** Where `/metrics` is; `undefined` when nothing is measured. */
    metricsPort: decoded.SOTTO_METRICS_PORT,
    baseUrl,
    linkBaseUrl: decoded.SOTTO_LINK_BASE_URL ?? baseUrl,
    dataDir: resolve(cwd, decoded.SOTTO_DATA_DIR),
    /** The database that is in place of the files in `dataDir`; `undefined` when there is none. `url` holds credentials. */
    database: databaseOf(decoded),
    keysFile: resolve(cwd, decoded.SOTTO_KEYS_FILE),
    trustProxy: decoded.SOTTO_TRUST_PROXY,
    policy,
    logLevel: decoded.SOTTO_LOG_LEVEL,
    /** Whether commands other than `serve` write their audit lines. */
    commandsLog: isLevelSet && ['info', 'debug', 'trace'].includes(decoded.SOTTO_LOG_LEVEL),
    /** The mail server and the sender; `undefined` when no mails are sent. `smtpUrl` holds credentials. */
    mail: mailOf(decoded),
    /** The identity provider; `undefined` where there is none. `clientSecret` is confidential. */
    singleSignOn: singleSignOnOf(decoded, ssoFiles),
    /** Whether the pages offer to encrypt in the browser. */
    sealing: decoded.SOTTO_SEALING,
    webhookAllow: decoded.SOTTO_WEBHOOK_ALLOW,
    logAddresses: decoded.SOTTO_LOG_ADDRESSES,
    /** The email of the account that a first start makes. */
    ownerEmail: decoded.SOTTO_OWNER_EMAIL,
    branding: {
      name: decoded.SOTTO_NAME,
      logo,
      accent: decoded.SOTTO_ACCENT,
      contact: decoded.SOTTO_CONTACT,
    },
  }
}

function databaseOf(decoded: StaticDecode<typeof settingsSchema>) {
  const url = decoded.SOTTO_DATABASE_URL
  if (url === undefined) return undefined
  return {
    url,
    connectionsMax: decoded.SOTTO_DATABASE_CONNECTIONS,
    pipeline: decoded.SOTTO_DATABASE_PIPELINE,
    prepare: decoded.SOTTO_DATABASE_PREPARE,
  }
}

function mailOf({ SOTTO_SMTP_URL: smtpUrl, SOTTO_MAIL_FROM: from }: StaticDecode<typeof settingsSchema>) {
  return smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from }
}

/** Two servers cannot listen on one port. Each worker has a port of its own for its metrics. */
function portErrors({
  SOTTO_PORT: port,
  SOTTO_METRICS_PORT: metricsPort,
  SOTTO_WORKERS: workers,
}: NodeJS.ProcessEnv): string[] {
  if (metricsPort === undefined) return []
  const last = Number(metricsPort) + Number(workers) - 1
  const among =
    last > Number(metricsPort) ? `, and so must the ports up to ${last}, of the other workers` : ''
  if (Number(port) >= Number(metricsPort) && Number(port) <= last)
    return [`SOTTO_METRICS_PORT must differ from SOTTO_PORT${among}`]
  return Number(metricsPort) <= portMax && last > portMax
    ? [`SOTTO_METRICS_PORT leaves no ports for the other workers: the last one would have ${last}`]
    : []
}

/** Each value is checked by itself, because TypeBox stops after eight errors of one object. */
function ruleErrors(given: Record<string, unknown>): string[] {
  return Object.entries<TSchema>(settingsSchema.properties).flatMap(([name, schema]) => {
    const text = given[name]
    if (text === undefined || Value.Check(schema, text)) return []
    const { takes } = schema as unknown as { takes: string }
    const spelled = spelledOrigin(takes, String(text))
    if (spelled !== undefined) return [`${name} must be ${takes}: write ${spelled}`]
    return text === ''
      ? [`${name} must not be empty: set ${takes}, or unset it`]
      : [`${name} must be ${takes}`]
  })
}

/** Variables of `sotto share`, which may run in the same environment. */
const senderNames: readonly string[] = ['SOTTO_URL', 'SOTTO_TOKEN']

/**
 * An error for each unknown name: a misspelt one would silently leave a default in force. The settings file may hold nothing else, so
 * there a name need not begin with `SOTTO_` to be an error.
 */
function unknownNames(names: readonly string[], namesInFile: readonly string[]): string[] {
  const known = Object.keys(settingsSchema.properties)
  const unknown = names.filter((name) => {
    if (namesInFile.includes(name)) return !known.includes(name)
    return /^SOTTO_/i.test(name) && ![...known, ...senderNames].includes(name)
  })
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
