import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'

/**
 * The text of a file; `undefined` when its mode gives other users any right to it.
 * @throws the file system's error
 */
export function readPrivateFile(path: string): string | undefined {
  const file = openSync(path, 'r')
  try {
    return (fstatSync(file).mode & 0o077) === 0 ? readFileSync(file, 'utf8') : undefined
  } finally {
    closeSync(file)
  }
}
