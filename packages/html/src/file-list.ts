import { shownText } from '@sotto/core'
import { styleSheet } from './embedded.ts'
import { markup, type Html } from './html.ts'
import type { Localized } from './localized.ts'

/** A file as a list shows it. */
export interface ListedFile {
  readonly name: string
  /** The file's size, in bytes. */
  readonly size: number
}

/**
 * Files with their sizes. A name keeps its own direction, whatever the direction of the page.
 * @param controlOf makes the control beside a file; `nameId` is the id of the element with its name
 */
export function fileList<File extends ListedFile>(
  localized: Localized,
  files: readonly File[],
  controlOf?: (file: File, at: number, nameId: string) => Html,
): Html {
  const item = (file: File, at: number): Html => {
    const nameId = `file-${at + 1}`
    return markup`<li><span><bdi id="${nameId}" translate="no">${shownText(file.name)}</bdi> <small>${localized.size(file.size)}</small></span>${controlOf?.(file, at, nameId)}</li>`
  }
  return markup`<ul class="files">${files.map(item)}</ul>`
}

const listRules = `
.files { margin: 0 0 1rem; padding: 0; list-style: none; }
.files li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; min-height: var(--target); padding-block: .375rem; border-block-end: 1px solid var(--line); }
.files li > span { flex: 1 1 10rem; min-width: 0; overflow-wrap: anywhere; }
.files small { color: var(--soft); font-size: var(--small); white-space: nowrap; }
.files :is(button, .button) { margin-block: 0; }
`

/** The rules for lists of files, for the pages that have some. */
export const fileListStyle = styleSheet(listRules)

/** The rules for lists of files that have a part of the page of their own. */
export const attachedStyle = styleSheet(`${listRules}
.attached h2 { margin: 1.5rem 0 .375rem; font-size: 1.375rem; }
.attached p { margin-block-end: .5rem; }
`)
