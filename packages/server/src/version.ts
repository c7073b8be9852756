import { readFileSync } from 'node:fs'

/** The version of this package. Its manifest is one directory above the sources and above the built files alike. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return (manifest as { readonly version: string }).version
}
