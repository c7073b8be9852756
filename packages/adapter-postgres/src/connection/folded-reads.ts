import type { StorageError } from '@sotto/core'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { createBatches, type Waiting } from './batches.ts'
import type { Database } from './database.ts'
import { failureOf } from './errors.ts'
import type { Statement, Value } from './sql.ts'

/** The inputs of the callers who ask the same, in the order of their arrival. */
export type Question<Input> = readonly [Input, ...Input[]]

interface FoldedReadOptions<Input, Row extends readonly unknown[], Output> {
  readonly db: Database
  /** Its first column is the number of the question that a row answers, from 1 on; at most one row answers each. */
  readonly statement: Statement
  /** Callers with the same key ask the same, and get the same row. */
  readonly keyOf: (input: Input) => string
  /** The parameters of the statement: arrays with an item for each question. */
  readonly valuesOf: (questions: readonly Question<Input>[]) => readonly Value[]
  /** What a caller gets, from the columns after the first one; `undefined` when no row answers the question. What it throws is this caller's error. */
  readonly answerOf: (row: Row | undefined, input: Input) => Output
  /** How many callers one statement answers at most. */
  readonly sizeMax?: number
}

/** Some statements are under way while the calls for the next one gather: the server works on more than one at a time. */
const atOnce = 2

/**
 * Makes a method that reads one row. The calls that arrive together are answered by one statement; the error of the statement is the error
 * of each of them.
 */
export function createFoldedRead<Input, Row extends readonly unknown[], Output>({
  db,
  statement,
  keyOf,
  valuesOf,
  answerOf,
  sizeMax = 128,
}: FoldedReadOptions<Input, Row, Output>): (input: Input) => ResultAsync<Output, StorageError> {
  async function run(batch: readonly Waiting<Input, Output, never>[]): Promise<void> {
    const questions = [...Map.groupBy(batch, ({ input }) => keyOf(input)).values()]
    const values = valuesOf(questions.map((callers) => inputsOf(callers)))
    const read = await db.read((sql) => sql.rows<[nr: number, ...Row]>(statement, values))
    const rows = new Map(read.unwrapOr([]).map(([nr, ...row]) => [nr, row]))
    for (const [at, callers] of questions.entries()) {
      for (const { input, answer } of callers)
        answer(read.andThen(() => attempt(() => answerOf(rows.get(at + 1), input))))
    }
  }
  return createBatches({ run, sizeMax, atOnce })
}

function inputsOf<Input>(callers: readonly { readonly input: Input }[]): Question<Input> {
  const [first, ...others] = callers.map(({ input }) => input)
  // A group has a member; `as` says so for an `Input` that may itself be undefined.
  return [first as Input, ...others]
}

/** What `work` returns, or the error for what it throws: a damaged row is the error only of those who asked for it. */
function attempt<T>(work: () => T): Result<T, StorageError> {
  try {
    return ok(work())
  } catch (error) {
    return err(failureOf(error))
  }
}
