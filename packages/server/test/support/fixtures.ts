import { chmodSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What earlier versions and commits have written; see "To change the tables" in CONTRIBUTING.md. */
export const fixtures = join(import.meta.dirname, '..', 'fixtures')

/** Those of numbered versions of the tables: v1 and so on. A name behind the number says what the same tables hold besides. */
export const fixtureVersions = readdirSync(fixtures)
  .filter((name) => /^v\d+(?:-\w+)?$/.test(name))
  .sort((one, other) => parseInt(one.slice(1)) - parseInt(other.slice(1)))

/** Copies the fixture of a version into a directory, with the modes that Git does not keep. */
export function copyFixture(version: string, kind: 'sqlite' | 'postgres', to: string): void {
  cpSync(join(fixtures, version, kind), to, { recursive: true })
  for (const directory of ['data', 'keys'].map((name) => join(to, name)).filter(existsSync)) {
    chmodSync(directory, 0o700)
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
  }
}

/** The statements of a dump of PostgreSQL: without the lines that begin with a backslash, which are commands of psql. */
export function readDump(...path: readonly string[]): string {
  return readFileSync(join(fixtures, ...path), 'utf8').replaceAll(/^\\.*$/gm, '')
}
