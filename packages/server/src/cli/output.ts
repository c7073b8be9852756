import type { Slices } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Writable } from 'node:stream'

/** The reader of standard output went away before the answer was written. */
export interface OutputLost {
  readonly code: 'output_lost'
}

/** Where a command writes what it was asked for: text for people, or one JSON document for scripts. */
export interface Output {
  /** Writes the answer: `text` with a line break, or `json` as one document. */
  answer(answer: { readonly text: string; readonly json: unknown }): Promise<Result<void, OutputLost>>
  /**
   * Writes a list as it comes, without ever holding all of it. A reader that has seen enough and goes away ends it early, which
   * is no fault.
   */
  list<T, E>(slices: Slices<T, E>, layout: ListLayout<T>): Promise<Result<void, E>>
}

/** How a list looks: as a table, and each of its entries in JSON. */
export interface ListLayout<T> {
  /** Texts of the last column may be of any length, so that nothing has to be measured first. */
  readonly columns: readonly Column<T>[]
  readonly json: (entry: T) => unknown
}

export interface Column<T> {
  readonly title: string
  /** Characters that it takes; what is longer pushes the rest aside. */
  readonly width: number
  readonly text: (entry: T) => string
}

/** How the parts of a list are written. */
interface ListFormat<T> {
  slice(entries: readonly T[]): string
  end(): string
}

export function createOutput(stdout: Writable, { json }: { readonly json: boolean }): Output {
  return {
    async answer(answer) {
      const text = json ? JSON.stringify(answer.json) : answer.text
      return (await write(stdout, `${text}\n`)) ? ok() : err({ code: 'output_lost' })
    },
    async list(slices, layout) {
      const format = json ? jsonFormat(layout) : tableFormat(layout)
      for await (const slice of slices) {
        if (slice.isErr()) return err(slice.error)
        if (!(await write(stdout, format.slice(slice.value)))) return ok()
      }
      await write(stdout, format.end())
      return ok()
    },
  }
}

/** Widths that the usual columns take. */
export const widths = { id: 36, time: 27 } as const

/**
 * Text that a terminal shows and does not obey: control characters, line and paragraph separators, marks and overrides of
 * direction, and lone surrogates appear as escapes.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )
}

function jsonFormat<T>({ json }: ListLayout<T>): ListFormat<T> {
  let before = '['
  return {
    slice(entries) {
      if (entries.length === 0) return ''
      const text = `${before}\n${entries.map((entry) => JSON.stringify(json(entry))).join(',\n')}`
      before = ','
      return text
    },
    end: () => (before === '[' ? '[]\n' : '\n]\n'),
  }
}

function tableFormat<T>({ columns }: ListLayout<T>): ListFormat<T> {
  const row = (texts: readonly string[]): string => {
    const cells = texts.map((text, at) => text.padEnd(columns[at]?.width ?? 0))
    return `${cells.join('  ').trimEnd()}\n`
  }
  let titles = row(columns.map((column) => column.title))
  return {
    slice(entries) {
      const rows = entries.map((entry) => row(columns.map((column) => printable(column.text(entry)))))
      const text = titles + rows.join('')
      titles = ''
      return text
    },
    end: () => '',
  }
}

/** Whether the text was handed on. Waits while the reader is slow; the stream's error has a listener elsewhere. */
function write(stdout: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    stdout.write(text, (error) => {
      resolve(error === null || error === undefined)
    })
  })
}
