import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..', '..')

/** The paths of all documents, from the root. */
export const documents = globSync(['*.md', '{docs,examples,lab,packages/*}/{,**/}*.md'], {
  cwd: root,
  exclude: (path) => /node_modules|\.tap|dist/.test(path),
}).sort()

export const text = (path: string): string => readFileSync(join(root, path), 'utf8')

/** A fenced block of code. */
export interface Block {
  readonly document: string
  /** What stands behind the fence; empty when nothing does. */
  readonly language: string
  readonly code: string
}

/** The fenced blocks of a document in their order, indented ones included. Code that is only indented is not among them. */
export function blocksOf(document: string): readonly Block[] {
  return [...text(document).matchAll(/^ *(```+|~~~+)(.*)\n([^]*?)^ *\1$/gm)].map(
    ([, , language = '', code = '']) => ({ document, language: language.trim(), code }),
  )
}
