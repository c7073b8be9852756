// The straight line on SQLite: reads, creates and opens secrets with the promises, SQL, ciphertexts, headers and log lines of the server,
// without layers: this file, and functions of bytes (rows.ts) and of HTTP (wire.ts) that it shares with the one on PostgreSQL. It serves a
// database that the server has made. What the server takes longer for the same answers is what its architecture costs, so nothing of it is
// imported here. What these answers do not need is left out: pages, lists, passwords, messages, idempotency keys, rotations, workers.
// Settings: SOTTO_DATA_DIR, SOTTO_KEYS_FILE, SOTTO_PORT, SOTTO_LIMIT_PER_MINUTE, SOTTO_LIMIT_PER_DAY.
import { randomBytes } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { makeUuid, rowsUnder, tokenDigest, uuidBytes, uuidOf, type Row } from './rows.ts'
import { dayMicros, limits, minuteMicros, openedText, secretText, serve, setting, type NewSecret, type Windows } from './wire.ts' // prettier-ignore

let [startMillis, lastMicros] = [0, 0]

/** The wall clock, with the microseconds of the steady clock. */
function nowMicros(): number {
  const [wall, steady] = [Date.now(), performance.now()]
  if (Math.abs(startMillis + steady - wall - 0.5) > 5) startMillis = wall - steady
  const micros = Math.floor((startMillis + steady) * 1000)
  if (micros > lastMicros || lastMicros - micros > 10_000) lastMicros = micros
  return lastMicros
}

// The database: a connection that reads and writes, and one for the quota.

function connect(name: string, synchronous: 'FULL' | 'NORMAL'): Sqlite.Database {
  const path = `${setting('DATA_DIR')}/${name}.sqlite`
  const db = new Sqlite(path, { fileMustExist: true, timeout: 100 })
  db.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1;
    PRAGMA foreign_keys = 1; PRAGMA secure_delete = 1; PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1;
    PRAGMA temp_store = 2; PRAGMA wal_autocheckpoint = 4000`)
  return db
}

const [db, quotaDb] = [connect('sotto', 'FULL'), connect('quota', 'NORMAL')]

function ask<P extends unknown[], R>(on: Sqlite.Database, sql: string): Sqlite.Statement<P, R> {
  return on.prepare<P, R>(sql).raw()
}

interface Waiting {
  readonly job: () => unknown
  readonly done: (answer: never) => void
  readonly failed: (error: unknown) => void
}

/**
 * Commits the jobs of so many turns of the event loop in one transaction with one fsync, and answers them once COMMIT has returned. When one
 * throws, each runs in a transaction of its own. When the disk fails, nobody knows what it holds, and the process ends.
 */
function groupCommit(on: Sqlite.Database, turns: number): <T>(job: () => T) => Promise<T> {
  const transaction = on.transaction((batch: readonly Waiting[]) => batch.map(({ job }) => job())).immediate
  let waiting: Waiting[] = []

  function commit(batch: readonly Waiting[]): void {
    try {
      const answers = transaction(batch)
      for (const [at, { done }] of batch.entries()) done(answers[at] as never)
    } catch (error) {
      if (String((error as { code?: string }).code).startsWith('SQLITE_IOERR')) process.exit(1)
      if (batch.length === 1) batch[0]?.failed(error)
      else for (const write of batch) commit([write])
    }
  }

  function flush(): void {
    const batch = waiting
    waiting = []
    commit(batch)
  }

  const wait = (left: number): unknown => setImmediate(() => (left > 1 ? wait(left - 1) : flush()))
  return (job) =>
    new Promise((done, failed) => {
      if (waiting.push({ job, done, failed }) === 1) wait(turns)
    })
}

// The waits for a read and for the quota divide simultaneous creates, so a group of writes waits for two more turns.
const [write, writeQuota] = [groupCommit(db, 3), groupCommit(quotaDb, 1)]

const [beginReads, endReads] = [db.prepare('BEGIN'), db.prepare('COMMIT')]
let reads: Waiting[] = []
let isReading = false

/** Reads of one turn, and those that follow once their promises have settled, share a snapshot. */
function read<T>(query: () => T): T | Promise<T> {
  if (isReading) return query()
  return new Promise((done, failed) => {
    if (reads.push({ job: query, done, failed }) === 1) setImmediate(readAll)
  })
}

function readAll(): void {
  const batch = reads
  reads = []
  isReading = true
  beginReads.run()
  for (const { job, done, failed } of batch) {
    try {
      done(job() as never)
    } catch (error) {
      failed(error)
    }
  }
  queueMicrotask(() =>
    process.nextTick(() => {
      isReading = false
      endReads.run()
    }),
  )
}

let emptying: NodeJS.Timeout | undefined

/** Empties the write-ahead log in a second: until then what was erased lives on in it. */
function erased(): void {
  emptying ??= setTimeout(() => {
    emptying = undefined
    const [row] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    if (row?.busy !== 0) erased()
  }, 1000)
}

const [kid = 0] = ask<[], [number]>(db, 'SELECT max(kid) FROM keys WHERE NOT read_only').get() ?? []
const [instanceId = Buffer.alloc(0)] = ask<[], [Buffer]>(db, 'SELECT instance_id FROM meta').get() ?? []
const rows = rowsUnder(setting('KEYS_FILE'), instanceId, kid)

// Access tokens.

const findToken = ask<
  [Buffer, Buffer, number],
  [id: string, account: string, scopes: string, usedAt: number | null]
>(
  db,
  `SELECT hex(id), hex(account_id), scopes, last_used_at FROM access_tokens t
   WHERE t.rowid = coalesce((SELECT rowid FROM access_tokens WHERE digest = ?), (SELECT min(rowid) FROM access_tokens))
     AND (SELECT (disabled_at IS NULL) & (name_index IS NOT NULL) FROM accounts WHERE id = account_id)
       & iif(digest = ?, (revoked_at IS NULL) & coalesce(expires_at > ?, 1), 0)`,
)
const recordUse = db.prepare('UPDATE access_tokens SET last_used_at = ? WHERE id = unhex(?)')
const usedAtOf = new Map<string, number>()

async function callerOf(token: string): Promise<{ accountId: string; scopes: string } | undefined> {
  const [digest, now] = [tokenDigest(token), nowMicros()]
  const row = await read(() => findToken.get(digest, digest, now))
  if (row === undefined) return undefined
  const [id, account, scopes, usedAt] = row
  if (now - (usedAtOf.get(id) ?? usedAt ?? 0) >= minuteMicros) {
    usedAtOf.set(id, now)
    write(() => recordUse.run(now, id)).catch(() => usedAtOf.delete(id))
  }
  return { accountId: uuidOf(account), scopes }
}

// The quota: fixed windows of a minute and a day. One that is further ahead than it is long begins now, because the clock was set back.

const columns = 'minute_start, minute_count, day_start, day_count'
const [minuteRuns, dayRuns] = [`@now - minute_start < ${minuteMicros}`, `@now - day_start < ${dayMicros}`]
const minuteKept = `iif(minute_start - @now > ${minuteMicros}, @now, minute_start)`
const dayKept = `iif(day_start - @now > ${dayMicros}, @now, day_start)`
const takeAll = ask<[object], Windows>(
  quotaDb,
  `UPDATE quota SET minute_count = minute_count + @calls, day_count = day_count + @calls
   WHERE bucket = @bucket AND minute_count + @calls <= @perMinute AND day_count + @calls <= @perDay
     AND minute_start <= @from AND ${minuteRuns} AND day_start <= @from AND ${dayRuns} RETURNING ${columns}`,
)
const takeOne = ask<[object], Windows>(
  quotaDb,
  `INSERT INTO quota (bucket, ${columns}) VALUES (@bucket, @now, 1, @now, 1) ON CONFLICT (bucket) DO UPDATE SET
     minute_start = iif(${minuteRuns}, ${minuteKept}, @now), minute_count = iif(${minuteRuns}, minute_count, 0) + 1,
     day_start = iif(${dayRuns}, ${dayKept}, @now), day_count = iif(${dayRuns}, day_count, 0) + 1
   WHERE (minute_count < @perMinute OR NOT ${minuteRuns}) AND (day_count < @perDay OR NOT ${dayRuns})
   RETURNING ${columns}`,
)
const takeNone = ask<[object], Windows>(
  quotaDb,
  `UPDATE quota SET minute_start = ${minuteKept}, day_start = ${dayKept} WHERE bucket = @bucket RETURNING ${columns}`,
)

interface Taken {
  readonly isTaken: boolean
  readonly windows: Windows
}

let batches = new Map<string, { times: number[]; counted: Promise<readonly Taken[]> }>()

/** Counts a call. Those of a bucket that arrive in one turn are counted by one statement, and each has its own answer. */
async function takeQuota(bucket: string): Promise<Taken> {
  let batch = batches.get(bucket)
  if (batch === undefined) {
    if (batches.size === 0) setImmediate(() => (batches = new Map()))
    const times: number[] = []
    batch = { times, counted: writeQuota(() => count(bucket, times)) }
    batches.set(bucket, batch)
  }
  const at = batch.times.push(nowMicros()) - 1
  return (await batch.counted)[at] ?? { isTaken: false, windows: [0, 0, 0, 0] }
}

function count(bucket: string, times: readonly number[]): readonly Taken[] {
  const [from = 0, calls] = [times[0], times.length]
  const all = takeAll.get({ bucket, from, now: times.at(-1), calls, ...limits })
  if (all !== undefined) {
    const [minuteStart, minute, dayStart, day] = all
    const before = (at: number): Windows => [
      minuteStart,
      minute - calls + 1 + at,
      dayStart,
      day - calls + 1 + at,
    ]
    return times.map((_, at) => ({ isTaken: true, windows: before(at) }))
  }
  return times.map((now) => {
    const call = { bucket, now, ...limits }
    const taken = takeOne.get(call)
    return { isTaken: taken !== undefined, windows: taken ?? takeNone.get(call) ?? [now, 0, now, 0] }
  })
}

// Secrets.

type SecretRow = [string, string, number, number | null, number, number, number, number]

const secretColumns = `hex(s.id), hex(s.folder_id), s.created_at, s.open_limit, s.kid, s.link_created_at, s.expires_at,
  s.notify | s.has_password`

function rowOf(accountId: string, lookup: string, columns: [...SecretRow, ...unknown[]]): Row {
  const [id, folder, createdAt, openLimit, kid, linkCreatedAt, expiresAt] = columns
  const ids = { id: uuidOf(id), accountId, folderId: uuidOf(folder) }
  return { ...ids, kid, openLimit, lookup, createdAt, linkCreatedAt, expiresAt }
}

const findSecret = ask<[Buffer, Buffer, Buffer, number], [...SecretRow, head: Buffer, lookup: string]>(
  db,
  `SELECT ${secretColumns}, (SELECT head FROM ciphertexts WHERE nr = s.nr), hex(s.lookup) FROM secrets s
   WHERE s.nr = coalesce((SELECT nr FROM secrets WHERE id = ?), (SELECT min(nr) FROM secrets))
     AND s.id = ? AND (s.account_id = ?) & (s.expires_at > ?)`,
)

async function get(accountId: string, id: string): Promise<string | undefined> {
  const [secret, account, now] = [uuidBytes(id), uuidBytes(accountId), nowMicros()]
  const found = await read(() => findSecret.get(secret, secret, account, now))
  if (found === undefined) return undefined
  const row = rowOf(accountId, found[9].toLowerCase(), found)
  const { label, token } = rows.decryptHead(row, found[8])
  return secretText(row, label, token)
}

const ownsFolder = ask<[Buffer, Buffer], [1]>(db, 'SELECT 1 FROM folders WHERE id = ? AND account_id = ?')
const isWritable = ask<[number], [1]>(db, 'SELECT 1 FROM keys WHERE kid = ? AND NOT read_only')
const insertTexts = db.prepare('INSERT INTO ciphertexts (head, wrap, note) VALUES (?, ?, ?)')
const insertSecret = db.prepare(
  `INSERT INTO secrets (nr, id, account_id, folder_id, created_at, link_created_at, expires_at, open_limit,
     notify, has_password, kid, lookup) VALUES (last_insert_rowid(), ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)`,
)
const insertLong = db.prepare('INSERT INTO long_notes VALUES (last_insert_rowid(), zeroblob(4061), ?)')

async function create(accountId: string, secret: NewSecret): Promise<string | undefined> {
  const [folder, account] = [uuidBytes(secret.folder_id), uuidBytes(accountId)]
  if ((await read(() => ownsFolder.get(folder, account))) === undefined) return undefined
  const [createdAt, fresh] = [nowMicros(), randomBytes(116)]
  const [idBytes, token, expiresAt] = [
    fresh.subarray(0, 16),
    fresh.subarray(16, 48),
    createdAt + 30 * dayMicros,
  ]
  makeUuid(idBytes, createdAt)
  rows.makeLinkToken(token, createdAt)
  const [id, lookup] = [uuidOf(idBytes.toString('hex')), rows.lookupOf(token)]
  const openLimit = secret.open_limit === undefined || secret.open_limit === 0 ? null : secret.open_limit
  const times = { createdAt, linkCreatedAt: createdAt, expiresAt }
  const row = {
    id,
    accountId,
    folderId: secret.folder_id.toLowerCase(),
    kid,
    openLimit,
    lookup: lookup.toString('hex'),
    ...times,
  }
  const { head, wrap, note } = rows.encryptSecret(row, { ...secret, token }, fresh.subarray(48))
  const isShort = note.length <= 1057
  await write(() => {
    if (isWritable.get(kid) === undefined) throw new Error('the key was retired')
    insertTexts.run(head, wrap, isShort ? note : Buffer.alloc(0))
    insertSecret.run(idBytes, account, folder, createdAt, createdAt, expiresAt, openLimit, kid, lookup)
    if (!isShort) insertLong.run(note)
  })
  return secretText(row, secret.label, token.toString('base64url'))
}

const hasAccount = '(SELECT name_index IS NOT NULL FROM accounts WHERE id = s.account_id)'
/** The three ciphertexts are one value, and the lengths of two: for so few bytes each value costs as much as all of them. */
const openable = (value: string): string =>
  `(SELECT ${value} FROM ciphertexts WHERE NOT s.has_password AND nr = s.nr)`
const findLink = ask<
  [Buffer, Buffer, number],
  [...SecretRow, texts: Buffer, headLength: number, wrapLength: number, account: string]
>(
  db,
  `SELECT ${secretColumns},
     ${openable('CAST(head || wrap || coalesce((SELECT note FROM long_notes WHERE nr = s.nr), note) AS BLOB)')},
     ${openable('length(head)')}, ${openable('length(wrap)')}, hex(s.account_id)
   FROM secrets s WHERE s.nr = coalesce((SELECT nr FROM secrets WHERE lookup = ?), (SELECT min(nr) FROM secrets))
     AND ${hasAccount} & iif(s.lookup = ?, s.has_note & (s.expires_at > ?), 0)`,
)
const findOpens = ask<[Buffer, number], [nr: number, opens: number, openLimit: number | null]>(
  db,
  `SELECT s.nr, s.opens, s.open_limit FROM secrets s
   WHERE s.lookup = ? AND ${hasAccount} AND s.has_note AND s.expires_at > ? AND s.opens < coalesce(s.open_limit, 9e15)`,
)
const countOpen = db.prepare(
  `UPDATE secrets SET opens = ?, open_times = substr(CAST(coalesce(open_times, x'') || ? AS BLOB), -800) WHERE nr = ?`,
)
const zeros = 'wrap = zeroblob(length(wrap)), note = zeroblob(length(note))'
const destroyNote = [
  db.prepare<[number]>(`UPDATE ciphertexts SET ${zeros} WHERE nr = ?`),
  db.prepare<[number]>('DELETE FROM long_notes WHERE nr = ?'),
  db.prepare<[number]>('UPDATE secrets SET has_note = 0 WHERE nr = ?'),
]

/** Decrypts, counts the open durably, and only then answers. */
async function open(token: Buffer, isAbandoned: () => boolean): Promise<string | undefined> {
  const [lookup, now] = [rows.lookupOf(token), nowMicros()]
  const found = await read(() => findLink.get(lookup, lookup, now))
  if (found === undefined) return undefined
  if (found[7] !== 0) throw new Error('passwords and messages are not on the straight line')
  const [texts, wrapAt, noteAt] = [found[8], found[9], found[9] + found[10]]
  const row = rowOf(uuidOf(found[11]), lookup.toString('hex'), found)
  const [head, wrap, note] = [
    texts.subarray(0, wrapAt),
    texts.subarray(wrapAt, noteAt),
    texts.subarray(noteAt),
  ]
  const plain = rows.decryptSecret(row, head, wrap, note)
  if (isAbandoned()) return ''
  const openedAt = nowMicros()
  const left = await write(() => claim(lookup, openedAt))
  return left === undefined ? undefined : openedText(row, plain.label, plain.note, left)
}

/** Counts an open inside a transaction. How many are left; `undefined` when it cannot be opened any more. */
function claim(lookup: Buffer, openedAt: number): number | null | undefined {
  const found = findOpens.get(lookup, openedAt)
  if (found === undefined) return undefined
  const [nr, opens, openLimit] = found
  const time = Buffer.allocUnsafe(8)
  time.writeBigInt64BE(BigInt(openedAt))
  countOpen.run(opens + 1, time, nr)
  if (openLimit === null) return null
  if (opens + 1 === openLimit) {
    for (const statement of destroyNote) statement.run(nr)
    erased()
  }
  return openLimit - opens - 1
}

await serve({ addressBucket: rows.addressBucket, callerOf, create, get, nowMicros, open, takeQuota })
