import { readFileSync, writeFileSync } from 'node:fs'
import * as kit from '@sotto/test-kit'

/** Where the README is. */
export const readmeUrl = new URL('../../README.md', import.meta.url)

export const begin = '<!-- cases: written by `node test/readme/cases.ts` -->'
export const end = '<!-- end of cases -->'

interface ListedCase {
  readonly id: string
  readonly rule: string
  readonly needs?: string
}

/** Every contract, by the name under which it is exported. */
export const contracts: Readonly<Record<string, readonly ListedCase[]>> = {
  storageContract: kit.storageContract,
  quotaContract: kit.quotaContract,
  cipherContract: kit.cipherContract,
  clockContract: kit.clockContract,
  randomContract: kit.randomContract,
}

/** The list of all cases, as the README has it. */
export function listOfCases(): string {
  const lists = Object.entries(contracts).map(([name, cases]) => {
    const items = cases.map(
      ({ id, rule, needs }) => `- \`${id}\`${needs === undefined ? '' : ` (\`${needs}\`)`}: ${rule}`,
    )
    return `### ${name}\n\n${items.join('\n')}`
  })
  return lists.join('\n\n')
}

/** The README with a fresh list. */
export function withCases(readme: string): string {
  const [before, rest] = readme.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error('the README has no place for the cases')
  return `${before}${begin}\n\n${listOfCases()}\n\n${end}${after}`
}

if (import.meta.main) writeFileSync(readmeUrl, withCases(readFileSync(readmeUrl, 'utf8')))
