import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { err, ok, type Result } from 'neverthrow'
import { exposureText, readPrivateFile, withoutByteOrderMark } from '../shared/private-file.ts'

/** What the files that settings of single sign-on name hold. */
export interface SsoFiles {
  /** The client secret. Confidential. */
  readonly clientSecret: string | undefined
  /** The certificates of the provider's authorities, in PEM. */
  readonly ca: string | undefined
}

/** @returns what is in the files, `undefined` for a setting that is not there, or one sentence about each that cannot be used */
export function readSsoFiles(values: NodeJS.ProcessEnv, cwd: string): Result<SsoFiles, string[]> {
  const secret = read(values, cwd, 'SOTTO_OIDC_CLIENT_SECRET_FILE', secretIn)
  const ca = read(values, cwd, 'SOTTO_OIDC_CA_FILE', certificatesIn)
  const errors = [secret, ca].flatMap((each) => (each.isErr() ? [each.error] : []))
  return secret.isOk() && ca.isOk() ? ok({ clientSecret: secret.value, ca: ca.value }) : err(errors)
}

function read(
  values: NodeJS.ProcessEnv,
  cwd: string,
  name: string,
  contentOf: (path: string) => Result<string, string>,
): Result<string | undefined, string> {
  const named = values[name]
  // The rule of the setting reports an empty one.
  if (named === undefined || named === '') return ok(undefined)
  const about = (reason: string): string => `the file that ${name} names ${reason}`
  try {
    return contentOf(resolve(cwd, named)).mapErr(about)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return err(about(`cannot be read (${reason})`))
  }
}

/** The secret in a file, without the newline with which editors end it. */
function secretIn(path: string): Result<string, string> {
  const file = readPrivateFile(path, { mayBeMounted: true })
  if (file.text === undefined) return err(exposureText(file))
  if (file.isAnotherUsers) return err('belongs to another user: change its owner')
  const secret = withoutByteOrderMark(file.text).replace(/\r?\n$/, '')
  return /^[^\r\n]+$/.test(secret) ? ok(secret) : err('must hold the secret on one line, and nothing else')
}

function certificatesIn(path: string): Result<string, string> {
  const text = readFileSync(path, 'utf8')
  return text.includes('-----BEGIN CERTIFICATE-----') ? ok(text) : err('must hold certificates in PEM')
}
