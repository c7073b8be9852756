import type { StorageError } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync, ResultAsync } from 'neverthrow'
import { test } from 'tap'
import type { Database } from '../../src/connection/database.ts'
import { storageErrorOf } from '../../src/connection/errors.ts'
import { createBatchedReads } from '../../src/connection/batched-reads.ts'
import type { Asked, Value } from '../../src/connection/sql.ts'
import { createRecorder } from '../support/recorder.ts'

const words = (values: readonly Value[]): readonly string[] => values[0] as readonly string[]

/** Reads of the length of a word and of its first letter, from a database that knows no word with an x. */
function createReads({
  sizeMax,
  read,
  tries = 1,
  fails = () => false,
}: {
  readonly sizeMax?: number
  readonly read?: Database['read']
  /** How often the database runs what fails. */
  readonly tries?: 1 | 2
  readonly fails?: (asked: Asked) => boolean
} = {}) {
  const trips: (readonly string[])[] = []
  const recorder = createRecorder()
  const all = async (asked: readonly Asked[]) => {
    trips.push(asked.map(({ statement, values }) => `${statement.name} ${words(values).join(' ')}`))
    const rowsOf = async (each: Asked) => {
      if (fails(each)) throw new RangeError('a confidential text')
      // In another order than they were asked for.
      const rows = words(each.values).map((word, at) => [at + 1, word.length, word[0]])
      return Promise.resolve(rows.filter((_, at) => !words(each.values)[at]?.includes('x')).toReversed())
    }
    return Promise.allSettled(asked.map(rowsOf))
  }
  const sql = { ...recorder.sql, all }
  const db: Database = {
    ...recorder.db,
    read:
      read ??
      ((work) =>
        ResultAsync.fromPromise(
          work(sql).catch((error: unknown) => (tries === 2 ? work(sql) : Promise.reject(error as Error))),
          (error) => storageErrorOf(error, { wasWriting: false }),
        )),
  }
  const reads = createBatchedReads(db)
  const batch = (name: string, column: 0 | 1) =>
    reads.batch({
      ...{ statement: { name, text: 'SELECT 1' }, keyOf: (word: string) => word },
      valuesOf: (questions) => [questions.map(([word]) => word)],
      answerOf(row: [length: number, first: string] | undefined, word) {
        if (word === 'corrupted') throw new RangeError('a confidential text')
        return row?.[column]
      },
      ...(sizeMax !== undefined && { sizeMax }),
    })
  return { trips, lengthOf: batch('lengths', 0), firstOf: batch('firsts', 1) }
}

test('calls that arrive together are one statement, which asks once for what several of them ask', async (t) => {
  const { trips, lengthOf } = createReads()
  const answers = await ResultAsync.combine(['one', 'three', 'x', 'one'].map(lengthOf))
  t.same(expectOk(answers), [3, 5, undefined, 3])
  t.same(trips, [['lengths one three x']])
})

test('calls beyond the size of a statement are answered by another one', async (t) => {
  const { trips, lengthOf } = createReads({ sizeMax: 2 })
  const answers = await ResultAsync.combine(['a', 'bb', 'ccc', 'dddd', 'eeeee'].map(lengthOf))
  t.same(expectOk(answers), [1, 2, 3, 4, 5])
  t.same(trips, [['lengths a bb', 'lengths ccc dddd', 'lengths eeeee']])
})

test('the statements of different reads that arrive together are sent together', async (t) => {
  const { trips, lengthOf, firstOf } = createReads()
  const answers = await Promise.all([lengthOf('one'), firstOf('two'), lengthOf('three')])
  t.same(
    answers.map((answer) => expectOk(answer)),
    [3, 't', 5],
  )
  t.same(trips, [['lengths one three', 'firsts two']])
})

test('the error of a statement is the error of its calls alone', async (t) => {
  const { lengthOf, firstOf } = createReads({ fails: ({ statement }) => statement.name === 'lengths' })
  const [one, first, two] = await Promise.all([lengthOf('one'), firstOf('one'), lengthOf('two')])
  for (const failed of [one, two]) {
    t.match(expectErr(failed), { code: 'storage_failed', detail: /^RangeError/ })
    t.notMatch(JSON.stringify(failed), 'confidential')
  }
  t.equal(expectOk(first), 'o')
})

test('when nothing can be read, each call gets the error', async (t) => {
  const error: StorageError = { code: 'storage_unavailable', reason: 'busy' }
  const { lengthOf, firstOf } = createReads({ read: () => errAsync(error) })
  const answers = await Promise.all([lengthOf('one'), firstOf('two'), lengthOf('one')])
  for (const answer of answers) t.same(expectErr(answer), error)
})

test('a statement whose connection broke is sent again, without those that were answered', async (t) => {
  let failures = 0
  const { trips, lengthOf, firstOf } = createReads({
    tries: 2,
    fails: ({ statement }) => statement.name === 'lengths' && (failures += 1) === 1,
  })
  const answers = await Promise.all([lengthOf('one'), firstOf('two')])
  t.same(
    answers.map((answer) => expectOk(answer)),
    [3, 't'],
  )
  t.same(trips, [['lengths one', 'firsts two'], ['lengths one']])
})

test('a row that cannot be read is the error of those alone who asked for it', async (t) => {
  const { lengthOf } = createReads()
  const [corrupted, sound] = await Promise.all(['corrupted', 'sound'].map(lengthOf))
  t.equal(sound && expectOk(sound), 5)
  t.match(corrupted && expectErr(corrupted), { code: 'storage_failed', detail: /^RangeError/ })
  t.notMatch(JSON.stringify(corrupted), 'confidential')
})
