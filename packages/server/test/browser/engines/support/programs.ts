import { isThere } from '../../support/browser.ts'

/**
 * Why tests that need these programs cannot run; `undefined` when they can. Where `CI` is set they run all the same, and fail.
 * @param packages Debian's packages with the programs
 */
export function missingOf(packages: string, ...paths: readonly string[]): string | undefined {
  const missing = paths.filter((path) => !isThere(path))
  if (missing.length === 0 || process.env['CI']) return undefined
  return `no ${missing.join(', ')}: install Debian's ${packages}`
}
