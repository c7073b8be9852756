import { changes, row, type Asked, type Dialect, type Engine, type Work } from '@sotto/storage-sql'
import type Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { uuidBytes, uuidOf, uuidText } from './codec.ts'

/** Runs the work of the shared stores synchronously: reads immediately, writes inside a group commit. */
export function createEngine({ db, read, write, erased }: Connections): Engine {
  const ask = createAsk(db)
  return {
    dialect: sqliteDialect,
    read: (work) => read(() => run(work(), ask)),
    find: (text, values, make) =>
      read(() => {
        const found = ask({ text, values, answer: 'row' })
        return found === undefined ? undefined : make(found as never)
      }),
    list: (text, values, make) => read(() => (ask({ text, values, answer: 'rows' }) as never[]).map(make)),
    // Writers take turns, so that no isolation is needed.
    write: (work) => write(() => run(work(), ask)),
    change: (text, ...values) => write(() => ok(ask({ text, values, answer: 'changes' }) as number)),
    erased,
  }
}

/** A UUID is stored as its 16 bytes, a flag as 0 or 1, and a text apart from its row, where it can be erased in place. */
export const sqliteDialect: Dialect = {
  id: {
    in: uuidBytes,
    out: (stored) => (typeof stored === 'string' ? uuidOf(stored) : uuidText(stored as Uint8Array)),
    read: (column) => `hex(${column})`,
  },
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
  /** The place of the value that each `?` takes; `undefined` when the values are in their order. */
  readonly order: readonly number[] | undefined
}

type Ask = (asked: Asked) => unknown

/** Runs work, synchronously. */
export function run<T>(work: Work<T>, ask: Ask): T {
  let step = work.next()
  while (step.done !== true) step = work.next(ask(step.value))
  return step.value
}

/** Makes the function that runs a statement on a connection. Each text is prepared once. */
export function createAsk(db: Sqlite.Database): Ask {
  const prepared = new Map<string, Prepared>()
  const prepare = ({ text, answer }: Asked): Prepared => {
    const order: number[] = []
    const statement = db.prepare(
      text.replaceAll(/\$(\d+)/g, (_, number: string) => {
        order.push(Number(number) - 1)
        return '?'
      }),
    )
    if (answer !== 'changes') statement.raw()
    const made = { statement, order: order.every((nr, at) => nr === at) ? undefined : order }
    prepared.set(text, made)
    return made
  }
  return (asked) => {
    const { statement, order } = prepared.get(asked.text) ?? prepare(asked)
    const values = order === undefined ? asked.values : order.map((at) => asked.values[at])
    if (asked.answer === 'changes') return statement.run(...values).changes
    return asked.answer === 'row' ? statement.get(...values) : statement.all(...values)
  }
}
