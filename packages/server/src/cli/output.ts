import { printable } from '../shared/printable.ts'
import type { OutputLost, RowsCorrupted } from '../errors/errors.ts'
import type { Writable } from 'node:stream'
import type { DataCorrupted, Page, Pages } from '@sotto/core'
import { isoMicros } from '@sotto/wire'
import { err, ok, type Result } from 'neverthrow'

/** Where a command writes its answer: text for people, or one JSON document for scripts. */
export interface Output {
  /** Writes the answer: `text` and `end`, by default a line break, or `json` as one document. */
  answer(answer: Answer): Promise<Result<void, OutputLost>>
  /**
   * Writes a list page by page, without holding all of it in memory. A reader that closes standard output early, such as `head`, is not
   * an error. Whatever else cuts the list off is one: a script would take the part for the whole. Corrupted rows are left out and
   * reported, and are an error once the rest is written.
   */
  list<T, E>(pages: Pages<T, E>, layout: ListLayout<T>): Promise<Result<void, E | OutputLost | RowsCorrupted>>
}

export interface Answer {
  readonly text: string
  readonly end?: string
  readonly json: unknown
}

/** How a list looks: as a table of {@link tableWidth} that has what a person looks for, and each of its entries in JSON, whole. */
export interface ListLayout<T> {
  /** The last column has what the others leave. */
  readonly columns: readonly Column<T>[]
  readonly json: (entry: T) => unknown
}

export interface Column<T> {
  readonly title: string
  /** The width of the column in characters. A longer text moves the rest of its row to the right. The last column has none. */
  readonly width?: number
  /** Whether a text of the last column is written whole although it is too long, because other commands take it; otherwise it is cut. */
  readonly isWhole?: boolean
  readonly text: (entry: T) => string
}

/** How the parts of a list are written. */
interface ListFormat<T> {
  page(entries: readonly T[]): string
  end(): string
}

export function createOutput(
  stdout: Writable,
  {
    json,
    onCorruption = () => undefined,
  }: {
    readonly json: boolean
    /** Called for each row that a list leaves out. */
    readonly onCorruption?: ((corruption: DataCorrupted) => void) | undefined
  },
): Output {
  return {
    async answer(answer) {
      const { text, end = '\n' } = answer
      const written = json ? `${jsonText(answer.json)}\n` : text + end
      return (await write(stdout, written)) === 'written' ? ok() : err({ code: 'output_lost' })
    },
    async list(pages, layout) {
      const format = json ? jsonFormat(layout) : tableFormat(layout)
      let corruptedRows = 0
      for await (const page of pages) {
        if (page.isErr()) return err(page.error)
        page.value.corrupted.forEach(onCorruption)
        corruptedRows += page.value.corrupted.length
        const outcome = await write(stdout, format.page(page.value.items))
        if (outcome !== 'written') return outcome === 'reader_left' ? ok() : err({ code: 'output_lost' })
      }
      if ((await write(stdout, format.end())) === 'failed') return err({ code: 'output_lost' })
      return corruptedRows === 0 ? ok() : err({ code: 'rows_damaged', rows: corruptedRows })
    },
  }
}

/** All rows of a list, each of which can be read. */
export function whole<T>(items: readonly T[]): Page<T> {
  return { items, corrupted: [] }
}

/** A list that is read at once. */
export async function* onePage<T, E>(listed: PromiseLike<Result<Page<T>, E>>): Pages<T, E> {
  yield await listed
}

/** A time for a table, in UTC to the second; empty when there is none. */
export function timeCell(micros: number | undefined): string {
  return micros === undefined ? '' : isoMicros(micros).slice(0, 19).replace('T', ' ')
}

/** How many characters a row of a table has at most: what a window shows beside another one. */
const tableWidth = 100

/** The widths of the usual columns. */
export const widths = { id: 36, time: 19 } as const

/** JSON itself leaves some control characters as they are. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
}

function jsonFormat<T>({ json }: ListLayout<T>): ListFormat<T> {
  let before = '['
  return {
    page(entries) {
      if (entries.length === 0) return ''
      const text = `${before}\n${entries.map((entry) => jsonText(json(entry))).join(',\n')}`
      before = ','
      return text
    },
    end: () => (before === '[' ? '[]\n' : '\n]\n'),
  }
}

function tableFormat<T>({ columns }: ListLayout<T>): ListFormat<T> {
  const left = columns.slice(0, -1).reduce((rest, { width = 0 }) => rest - width - 2, tableWidth)
  const row = (texts: readonly string[]): string => {
    const cells = texts.map((text, at) => {
      const { width, isWhole = false } = columns[at] ?? {}
      return width === undefined && !isWhole ? cut(text, left) : text.padEnd(width ?? 0)
    })
    return `${cells.join('  ').trimEnd()}\n`
  }
  let titles = row(columns.map((column) => column.title))
  return {
    page(entries) {
      const rows = entries.map((entry) => row(columns.map((column) => printable(column.text(entry)))))
      const text = titles + rows.join('')
      titles = ''
      return text
    },
    end: () => '',
  }
}

/** The text, or its beginning where it has more than `length` characters. */
function cut(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/** Writes the text, and waits for a slow reader. The stream's errors have a listener in program.ts. */
function write(stdout: Writable, text: string): Promise<'written' | 'reader_left' | 'failed'> {
  return new Promise((resolve) => {
    stdout.write(text, (error) => {
      if (error === null || error === undefined) resolve('written')
      else resolve('code' in error && error.code === 'EPIPE' ? 'reader_left' : 'failed')
    })
  })
}
