import type { StorageError } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync, ResultAsync } from 'neverthrow'
import { test } from 'tap'
import type { Database } from '../../src/connection/database.ts'
import { createFoldedRead } from '../../src/connection/folded-reads.ts'
import type { Value } from '../../src/connection/sql.ts'
import { createRecorder } from '../support/recorder.ts'

const statement = { name: 'lengths', text: 'SELECT 1' }

/** A read of the length of a word, from a database that knows no word with an x. */
function createLengths({
  sizeMax,
  read,
}: { readonly sizeMax?: number; readonly read?: Database['read'] } = {}) {
  const asked: Value[] = []
  const recorder = createRecorder()
  const rows = async <Row>(_: unknown, [words]: readonly Value[] = []): Promise<readonly Row[]> => {
    asked.push(words)
    const found = (words as readonly string[]).map((word, at) => [at + 1, word.length] as const)
    // In another order than they were asked for.
    return found.filter((_row, at) => !(words as readonly string[])[at]?.includes('x')).toReversed() as Row[]
  }
  const db: Database = {
    ...recorder.db,
    read: read ?? ((work) => ResultAsync.fromSafePromise(work({ ...recorder.sql, rows }))),
  }
  const lengthOf = createFoldedRead({
    ...{ db, statement, keyOf: (word: string) => word },
    valuesOf: (questions) => [questions.map(([word]) => word)],
    answerOf(row: [length: number] | undefined, word) {
      if (word === 'damaged') throw new RangeError('a confidential text')
      return row?.[0]
    },
    ...(sizeMax !== undefined && { sizeMax }),
  })
  return { asked, lengthOf }
}

test('calls that arrive together are one statement, which asks once for what several of them ask', async (t) => {
  const { asked, lengthOf } = createLengths()
  const answers = await ResultAsync.combine(['one', 'three', 'x', 'one'].map(lengthOf))
  t.same(expectOk(answers), [3, 5, undefined, 3])
  t.same(asked, [['one', 'three', 'x']])
})

test('calls beyond the size of a statement are answered by the next one', async (t) => {
  const { asked, lengthOf } = createLengths({ sizeMax: 2 })
  const answers = await ResultAsync.combine(['a', 'bb', 'ccc', 'dddd', 'eeeee'].map(lengthOf))
  t.same(expectOk(answers), [1, 2, 3, 4, 5])
  t.same(asked, [['a', 'bb'], ['ccc', 'dddd'], ['eeeee']])
})

test('the error of a statement is the error of each call', async (t) => {
  const error: StorageError = { code: 'storage_unavailable', reason: 'busy' }
  const { lengthOf } = createLengths({ read: () => errAsync(error) })
  const answers = await Promise.all(['one', 'two', 'one'].map(lengthOf))
  for (const answer of answers) t.same(expectErr(answer), error)
})

test('a row that cannot be read is the error of those alone who asked for it', async (t) => {
  const { lengthOf } = createLengths()
  const [damaged, sound] = await Promise.all(['damaged', 'sound'].map(lengthOf))
  t.equal(sound && expectOk(sound), 5)
  t.match(damaged && expectErr(damaged), { code: 'storage_failed', detail: /^RangeError/ })
  t.notMatch(JSON.stringify(damaged), 'confidential')
})
