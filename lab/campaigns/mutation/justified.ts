/** A mutant that may survive: the declaration that contains it, its name, and why no test can or should notice it. */
type Justified = readonly [scope: string, name: string, why: string]

const countedSingly =
  'Calls of which the last one just has room, or whose window begins with the first one, are then counted one by one, with the same result.'
const setToItsBegin =
  'A window that is not far ahead, or exactly as far as it is long, is then set to where it begins.'
const oneRow = 'The table always has its one row; the type of a query does not know that.'
const byIndex =
  'SQLite finds the buckets by the index on that column, so they come in this order anyway; the clause makes it certain.'

/** The surviving mutants of the strict targets, by file. */
export const justified: Readonly<Record<string, readonly Justified[]>> = {
  'packages/core/src/shared/attempts.ts': [
    [
      'linkAttemptLimits',
      "`'last'` → another string",
      "The only question asked of it is whether it is `'first'`.",
    ],
    [
      'withoutFuture',
      '`0` → `0 + 1`',
      'It stands for no lock. A lock that ended a microsecond after 1970 is as good: it is never later than now.',
    ],
  ],
  'packages/core/src/secrets/open-secret.ts': [
    [
      'attempt',
      '`12` → `12 + 1`',
      'The length of the id of an attempt is not promised; more bytes are as unique.',
    ],
    [
      'settle',
      '`false` → `true`',
      'Before the result of `update` is there, the decision has run and has set it.',
    ],
    [
      'settle',
      '`change.attempts ?? attempts` → `change.attempts`',
      '`settleOpen` always returns the attempts; only the type of a change leaves them out.',
    ],
  ],
  'packages/core/src/quota/count-call.ts': [
    [
      'blockedUntil',
      '`0` → `0 + 1`',
      'It stands for a window that does not block, and is compared with the end of the one that does.',
    ],
  ],
  'packages/adapter-sqlite/src/quota/quota.ts': [
    ['takeInRunningSql', 'SQL `<=` → `<` near `inute_count + @calls <= @perMinute AND day_c`', countedSingly],
    ['takeInRunningSql', 'SQL `<=` → `<` near `D day_count + @calls <= @perDay AND minu`', countedSingly],
    ['takeInRunningSql', 'SQL `<=` → `<` near `AND minute_start <= @fromMicros AND ${ru`', countedSingly],
    ['takeInRunningSql', 'SQL `<=` → `<` near `)} AND day_start <= @fromMicros AND ${ru`', countedSingly],
    ['moveToNow', 'SQL `>` → `>=` near `e_start - @nowMicros > ${minuteMicros} OR d`', setToItsBegin],
    ['moveToNow', 'SQL `>` → `>=` near `y_start - @nowMicros > ${dayMicros})`', setToItsBegin],
    ['moveToNow', 'SQL `-` → `+` near `et AND (minute_start - @nowMicros > ${minut`', setToItsBegin],
    ['moveToNow', 'SQL `-` → `+` near `Micros} OR day_start - @nowMicros > ${dayMi`', setToItsBegin],
    [
      'addressIndexed',
      "SQL `<` → `<=` near `ress/' AND ${column} < 'address0'`",
      'No bucket has the name `address0`.',
    ],
    [
      'addressIndexed',
      "SQL `>=` → `>` near `${column} >= 'address/' AND ${col`",
      'No bucket has the name `address/`: the digest of an address follows.',
    ],
    [
      'createQuota',
      'SQL `ORDER BY day_start` → `` near `ND minute_start <= ? ORDER BY day_start LIMIT ?)`',
      byIndex,
    ],
    [
      'createEviction',
      'SQL `ORDER BY minute_start` → `` near `WEEN ? AND ? ORDER BY minute_start LIMIT ?)`',
      byIndex,
    ],
    ['createEviction', '`0` → `0 + 1`', oneRow],
    ['createEviction', '`count.get() ?? 0` → `count.get()`', oneRow],
  ],
  'packages/adapter-sqlite/src/quota/quota-batches.ts': [
    [
      'batchCalls',
      '`open.size === 0` → `true`',
      'All batches are then closed several times at the end of the turn; once is enough.',
    ],
  ],
  'packages/adapter-sqlite/src/connection/group-commit.ts': [
    ['#isMigrated', '`() => false` returns `undefined`', 'It is only asked as a condition.'],
    [
      '#commitBatch',
      'without `this.#flush()`',
      'The next turn of the event loop runs the writes again, too; this one does it immediately.',
    ],
  ],
  'packages/adapter-sqlite/src/connection/write-transaction.ts': [
    [
      'rollBack',
      '`this.#db.inTransaction` → `true`',
      'Without a transaction ROLLBACK is an error of SQLite, which is ignored.',
    ],
  ],
}
