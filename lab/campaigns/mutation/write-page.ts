import { writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { reportOf } from './report.ts'
import { readScores, scoresFile } from './scores.ts'

/** The page about the kept scores. */
export const pageFile = new URL('mutation.md', scoresFile)

/** Writes a file in the style of this repository. */
export async function write(url: URL, text: string): Promise<void> {
  writeFileSync(url, await format(text, { ...(await resolveConfig(url)), filepath: url.pathname }))
}

if (import.meta.main) await write(pageFile, reportOf(readScores()))
