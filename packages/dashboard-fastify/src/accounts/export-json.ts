import type { ExportItem } from '@sotto/identity'
import { exportLists, toWireExportItem } from '@sotto/wire/identity'

/** Writes a download piece by piece, without holding all of it. */
export interface ExportWriter {
  /** The text of further items. They come kind by kind, in the order of `exportLists`. */
  write(items: readonly ExportItem[]): string
  /** The rest of the text. */
  end(): string
}

const kinds = Object.keys(exportLists) as readonly ExportItem['kind'][]

/** One JSON object with the account, and a list for each other kind, also when it is empty. */
export function createExportWriter(linkOrigin: string): ExportWriter {
  let at = 0
  let isFirst = true
  const openNext = (): string => {
    at += 1
    isFirst = true
    const before = at === 1 ? '' : '\n]'
    return `${before},\n${JSON.stringify(exportLists[kinds[at] ?? 'account'])}: [`
  }
  const itemText = (entry: ExportItem): string => {
    const item = JSON.stringify(toWireExportItem(entry, linkOrigin))
    if (entry.kind === 'account') return `{\n"account": ${item}`
    let text = ''
    while (kinds[at] !== entry.kind && at < kinds.length - 1) text += openNext()
    text += `${isFirst ? '' : ','}\n${item}`
    isFirst = false
    return text
  }
  return {
    write: (items) => items.map(itemText).join(''),
    end() {
      let text = ''
      while (at < kinds.length - 1) text += openNext()
      return `${text}\n]\n}\n`
    },
  }
}
