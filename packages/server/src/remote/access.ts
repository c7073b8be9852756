import type { AccessError, AccessNotKept } from '../errors/errors.ts'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { createNewFile, makePrivateDirectory, systemErrorCode } from '@sotto/system'
import { err, ok, type Result } from 'neverthrow'
import { readPrivateFile } from '../shared/private-file.ts'

/** Where the service is, and the access token for it. */
export interface Access {
  readonly url: string
  readonly token: string
}

/** The file that `sotto login` writes, as the XDG Base Directory Specification says: a relative XDG_CONFIG_HOME is ignored. */
export function accessFile(env: NodeJS.ProcessEnv): string {
  const { XDG_CONFIG_HOME: config = '', HOME: home = homedir() } = env
  return join(isAbsolute(config) ? config : join(home, '.config'), 'sotto', 'client.json')
}

/** The access from the environment, or else from the file. */
export function readAccess(env: NodeJS.ProcessEnv): Result<Access, AccessError> {
  const { SOTTO_URL: url = '', SOTTO_TOKEN: token = '' } = env
  if (url !== '' && token !== '') return ok({ url, token })
  if (url !== '' || token !== '') return err({ code: 'access_incomplete' })
  const path = accessFile(env)
  try {
    const { text, isRegular } = readPrivateFile(path)
    if (text === undefined) return err({ code: 'access_exposed', path, isRegular })
    const access = accessIn(text)
    return access === undefined
      ? err({ code: 'access_unreadable', path, detail: 'not as written' })
      : ok(access)
  } catch (error) {
    const detail = systemErrorCode(error) ?? 'not JSON'
    return err(detail === 'ENOENT' ? { code: 'access_missing' } : { code: 'access_unreadable', path, detail })
  }
}

/** Writes the file, in the place of an earlier one, with mode 0600. A crash leaves the old one or the new one. */
export function keepAccess(env: NodeJS.ProcessEnv, { url, token }: Access): Result<string, AccessNotKept> {
  const path = accessFile(env)
  try {
    makePrivateDirectory(dirname(path))
    const file = createNewFile(path, 'client', { content: `${JSON.stringify({ url, token }, null, 2)}\n` })
    try {
      file.replace()
    } finally {
      file.discard()
    }
    return ok(path)
  } catch (error) {
    return err({ code: 'access_not_kept', path, detail: systemErrorCode(error) ?? 'unknown error' })
  }
}

/** @throws SyntaxError */
function accessIn(text: string): Access | undefined {
  const { url, token } = (JSON.parse(text) ?? {}) as { readonly url?: unknown; readonly token?: unknown }
  return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined
}
