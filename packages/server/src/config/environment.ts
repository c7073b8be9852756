import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { exposureText, readPrivateFile, withoutByteOrderMark } from '../shared/private-file.ts'
import { kubernetesNames } from './kubernetes.ts'

/** The variables that settings are read from, and why they may not be the ones that were meant. */
export interface Environment {
  /** The environment, and below it the settings file; without what Kubernetes has set. */
  readonly values: NodeJS.ProcessEnv
  /** The names that the settings file sets. */
  readonly namesInFile: readonly string[]
  /** One sentence for each error of the settings file, without any value. */
  readonly errors: readonly string[]
}

/** The settings file where SOTTO_ENV_FILE names none. It may be missing. */
const defaultFile = 'sotto.env'

/**
 * Adds the settings file to an environment: the file that SOTTO_ENV_FILE names, or else `sotto.env` in the working directory. A variable
 * that is set in both has the value of the environment.
 */
export function readEnvironment(env: NodeJS.ProcessEnv, cwd: string): Environment {
  const ignored = new Set(kubernetesNames(env))
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => !ignored.has(name)))
  const read = readSettingsFile(given['SOTTO_ENV_FILE'], cwd)
  if ('error' in read) return { values: given, namesInFile: [], errors: [read.error] }
  const { SOTTO_ENV_FILE: inner, ...inFile } = read.values
  const errors = inner === undefined ? [] : ['SOTTO_ENV_FILE must not be set in the settings file']
  return { values: { ...inFile, ...given }, namesInFile: Object.keys(inFile), errors }
}

/** `named` is the value of SOTTO_ENV_FILE. An empty one is an error that the rule of the setting finds. */
function readSettingsFile(
  named: string | undefined,
  cwd: string,
): { readonly values: NodeJS.Dict<string> } | { readonly error: string } {
  if (named === '') return { values: {} }
  const called = named === undefined ? `./${defaultFile}` : 'the file that SOTTO_ENV_FILE names'
  try {
    const file = readPrivateFile(resolve(cwd, named ?? defaultFile), { mayBeMounted: true })
    if (file.isAnotherUsers)
      return { error: `${called} belongs to another user: run this as that user, or use a file of this user` }
    if (file.text === undefined) return { error: `${called} ${exposureText(file)}` }
    // Neither can be in a file that is UTF-8: NUL stands between the characters of UTF-16, the other one for what does not decode.
    if (/[\0\ufffd]/.test(file.text))
      return { error: `${called} is not UTF-8: save it as UTF-8, not as UTF-16 or Latin-1` }
    return { values: parseEnv(withoutByteOrderMark(file.text)) }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (named === undefined && reason === 'ENOENT') return { values: {} }
    return { error: `${called} cannot be read (${reason})` }
  }
}
