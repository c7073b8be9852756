import type { StorageError } from '@sotto/core'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { createBatches, type Waiting } from './batches.ts'
import type { Database } from './database.ts'
import { failureOf, isConnectionLost } from './errors.ts'
import type { Asked, Statement, Value } from './sql.ts'

/** The inputs of the callers who ask the same, in the order of their arrival. */
export type Question<Input> = readonly [Input, ...Input[]]

interface BatchOptions<Input, Row extends readonly unknown[], Output> {
  /** The statement's first column is the number of the question that a row answers, from 1 on; at most one row answers each. */
  readonly statement: Statement
  /** Callers with the same key ask the same, and get the same row. */
  readonly keyOf: (input: Input) => string
  /** The parameters of the statement: arrays with an item for each question. */
  readonly valuesOf: (questions: readonly Question<Input>[]) => readonly Value[]
  /**
   * What a caller gets, from the columns after the first one; `undefined` when no row answers the question. What it throws is this caller's
   * error.
   */
  readonly answerOf: (row: Row | undefined, input: Input) => Output
  /** How many callers one statement answers at most. */
  readonly sizeMax?: number
}

/** Reads of single rows that share statements and round trips. */
export interface BatchedReads {
  /**
   * Makes a method that reads one row. The calls that arrive together are answered by one statement, and the statements of all methods are
   * sent together. The error of a statement is the error of each call that it answers.
   */
  batch<Input, Row extends readonly unknown[], Output>(
    options: BatchOptions<Input, Row, Output>,
  ): (input: Input) => ResultAsync<Output, StorageError>
}

/** How many calls share a round trip, and how many round trips are under way at most. */
const [callsMax, atOnce] = [512, 4]

export function createBatchedReads(db: Database): BatchedReads {
  const submit = createBatches<Call, unknown, never>({
    ...{ sizeMax: callsMax, atOnce },
    run: (batch) => run(db, batch),
  })
  return {
    batch<Input, Row extends readonly unknown[], Output>(options: BatchOptions<Input, Row, Output>) {
      const sharesOf = sharesFor(options)
      // The answer is what `answerOf` returned.
      return (input: Input) => submit({ sharesOf, input }) as ResultAsync<Output, StorageError>
    },
  }
}

/** A call of one of the methods. */
interface Call {
  /** The statements that answer calls of the same method. */
  readonly sharesOf: (calls: readonly WaitingCall[]) => readonly Share[]
  readonly input: unknown
}

type WaitingCall = Waiting<Call, unknown, never>
type Rows = readonly (readonly unknown[])[]

/** A statement, and how its callers are answered. */
interface Share extends Asked {
  answer(rows: Result<Rows, StorageError>): void
}

function sharesFor<Input, Row extends readonly unknown[], Output>(
  options: BatchOptions<Input, Row, Output>,
): Call['sharesOf'] {
  const { sizeMax = 128 } = options
  return (calls) => {
    const shares: Share[] = []
    for (let at = 0; at < calls.length; at += sizeMax)
      shares.push(shareOf(options, calls.slice(at, at + sizeMax)))
    return shares
  }
}

function shareOf<Input, Row extends readonly unknown[], Output>(
  { statement, keyOf, valuesOf, answerOf }: BatchOptions<Input, Row, Output>,
  calls: readonly WaitingCall[],
): Share {
  // The calls are those of one method.
  const asking = calls.map(({ input, answer }) => ({ input: input.input as Input, answer }))
  const questions = [...Map.groupBy(asking, ({ input }) => keyOf(input)).values()]
  return {
    statement,
    values: valuesOf(questions.map(inputsOf)),
    answer(read) {
      const rows = new Map(read.unwrapOr([]).map(([nr, ...row]) => [nr, row as unknown as Row]))
      for (const [at, callers] of questions.entries()) {
        for (const { input, answer } of callers)
          answer(read.andThen(() => attempt(() => answerOf(rows.get(at + 1), input))))
      }
    },
  }
}

function inputsOf<Input>(callers: readonly { readonly input: Input }[]): Question<Input> {
  const [first, ...others] = callers.map(({ input }) => input)
  // Every group has a member; `as` says so for an `Input` that may itself be undefined.
  return [first as Input, ...others]
}

/** Answers each statement's callers as soon as all have been answered; those that failed are read again when that may help. */
async function run(db: Database, batch: readonly WaitingCall[]): Promise<void> {
  const byMethod = Map.groupBy(batch, ({ input }) => input.sharesOf)
  let open = [...byMethod].flatMap(([sharesOf, calls]) => sharesOf(calls))
  const read = await db.read(async (sql) => {
    const sent = open
    const answers = await sql.all(sent)
    const errors: unknown[] = []
    open = sent.filter(({ answer }, at) => {
      const rows = answers[at]
      if (rows?.status === 'fulfilled') answer(ok(rows.value))
      else errors.push(rows?.reason)
      return rows?.status !== 'fulfilled'
    })
    if (errors.length > 0) throw errors.find(isConnectionLost) ?? errors[0]
  })
  if (read.isErr()) for (const { answer } of open) answer(err(read.error))
}

/** What `work` returns, or the error for what it throws: a corrupted row is the error only of those who asked for it. */
function attempt<T>(work: () => T): Result<T, StorageError> {
  try {
    return ok(work())
  } catch (error) {
    return err(failureOf(error))
  }
}
