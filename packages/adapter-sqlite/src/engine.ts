import { changes, row, type Asked, type Dialect, type Engine, type Work } from '@sotto/storage-sql'
import type Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import type { Connections } from './file/connections.ts'
import { uuidBytes, uuidText } from './stores/codec.ts'

/** Runs the work of the shared stores synchronously: reads immediately, writes inside a group commit. */
export function createEngine({ reader, writer, read, write, erased }: Connections): Engine {
  const [onReader, onWriter] = [createRun(reader), createRun(writer)]
  return {
    dialect: sqliteDialect,
    read: (work) => read(() => onReader(work())),
    // Writers take turns, so that no isolation is needed.
    write: (work) => write(() => onWriter(work())),
    change: (text, ...values) => write(() => ok(onWriter(changes(text, ...values)))),
    erased,
  }
}

/** A UUID is stored as its 16 bytes, a flag as 0 or 1, and a text apart from its row, where it can be erased in place. */
export const sqliteDialect: Dialect = {
  id: { in: uuidBytes, out: (stored) => uuidText(stored as Uint8Array) },
  flag: { in: Number, out: (stored) => stored === 1 },
  forUpdate: '',
  skipLocked: '',
  forKeyShare: '',
  texts: {
    column: (name) => `${name}_nr`,
    read: (name) => `(SELECT text FROM texts WHERE nr = ${name}_nr)`,
    none: `x''`,
    *insert(text) {
      const [nr] = (yield* row<[number]>('INSERT INTO texts (text) VALUES ($1) RETURNING nr', text)) ?? []
      return nr
    },
    *replace({ table, name }, id, text) {
      const nr = `(SELECT ${name}_nr FROM ${table} WHERE id = $1)`
      const overwritten = yield* row<[number]>(
        `UPDATE texts SET text = $2 WHERE nr = ${nr} AND length(text) = length($2) RETURNING nr`,
        ...[id, text],
      )
      if (overwritten !== undefined) return overwritten[0]
      yield* changes(`UPDATE texts SET text = zeroblob(length(text)) WHERE nr = ${nr}`, id)
      return yield* sqliteDialect.texts.insert(text)
    },
  },
}

interface Prepared {
  readonly statement: Sqlite.Statement
  /** Which of the values each `?` takes. */
  readonly order: readonly number[]
}

/** Makes the function that runs work on a connection. Each text is prepared once. */
export function createRun(db: Sqlite.Database): <T>(work: Work<T>) => T {
  const prepared = new Map<string, Prepared>()
  const prepare = ({ text, answer }: Asked): Prepared => {
    const order: number[] = []
    const statement = db.prepare(
      text.replaceAll(/\$(\d+)/g, (_, number: string) => {
        order.push(Number(number) - 1)
        return '?'
      }),
    )
    if (answer === 'rows') statement.raw()
    const made = { statement, order }
    prepared.set(text, made)
    return made
  }
  const answerTo = (asked: Asked): unknown => {
    const { statement, order } = prepared.get(asked.text) ?? prepare(asked)
    const values = order.map((at) => asked.values[at])
    return asked.answer === 'rows' ? statement.all(...values) : statement.run(...values).changes
  }
  return (work) => {
    let step = work.next()
    while (step.done !== true) step = work.next(answerTo(step.value))
    return step.value
  }
}
