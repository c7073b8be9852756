import { test } from 'tap'
import { DatabaseError } from 'pg'
import {
  brokenConstraint,
  ConnectionBroke,
  HostFailed,
  isConflict,
  isConnectionLost,
  isStale,
  NoHost,
  NotConnected,
  storageErrorOf,
  Unfit,
} from '../../src/connection/errors.ts'

const canary = 'canary-7f3a'

/** An error of the server, whose message and detail quote a value. */
function serverError(code: string, columns: Partial<DatabaseError> = {}): DatabaseError {
  const error = new DatabaseError(`(${canary})`, 0, 'error')
  return Object.assign(error, { code, detail: `Key (name)=(${canary})`, severity: 'ERROR', ...columns })
}

const writing = { wasWriting: true }

test('a transaction that the server gave up because of another one may run again', (t) => {
  for (const code of ['40001', '40P01']) t.ok(isConflict(serverError(code)), code)
  for (const code of ['23505', '23503', '57014', '40003']) t.notOk(isConflict(serverError(code)), code)
  t.notOk(isConflict(new Error('40001')), 'an error of this program')
  t.end()
})

test('a foreign key or a unique index that a row broke is known by its name', (t) => {
  for (const code of ['23505', '23503'])
    t.same(brokenConstraint(serverError(code, { constraint: 'a_fkey' })), 'a_fkey')
  t.same(brokenConstraint(serverError('23514', { constraint: 'a_check' })), undefined, 'a check')
  t.end()
})

test('a connection is lost when it broke, or the server ends it', (t) => {
  const lost = [
    ...['57P01', '57P02', '57P03', '08006'].map((code) => serverError(code)),
    serverError('XX000', { severity: 'FATAL' }),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
    new Error('Client has encountered a connection error and is not queryable'),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
    new NotConnected(),
    new ConnectionBroke(),
  ]
  for (const error of lost) t.ok(isConnectionLost(error), error.message)
  for (const error of [serverError('40001'), serverError('57014'), new TypeError('connection'), 'connection'])
    t.notOk(isConnectionLost(error))
  t.end()
})

test('the outcome of a write is unknown once its connection broke; a read is tried later', (t) => {
  const lost = new Error('Connection terminated unexpectedly')
  t.same(storageErrorOf(lost, writing), { code: 'storage_unavailable', reason: 'outcome_unknown' })
  t.same(storageErrorOf(lost, { wasWriting: false }), { code: 'storage_unavailable', reason: 'busy' })
  const ambiguous = serverError('40003')
  t.same(storageErrorOf(ambiguous, writing), { code: 'storage_unavailable', reason: 'outcome_unknown' })
  t.notOk(isConflict(ambiguous), 'it does not run again')
  t.same(storageErrorOf(new NotConnected(), writing), { code: 'storage_unavailable', reason: 'busy' })
  t.end()
})

test('a statement that the connection is to blame for had no effect', (t) => {
  for (const code of ['26000', '42P05', '0A000', '25006']) {
    t.ok(isStale(serverError(code)), code)
    const reason = code === '25006' ? 'read_only' : 'busy'
    t.same(storageErrorOf(serverError(code), writing), { code: 'storage_unavailable', reason }, code)
  }
  for (const code of ['40001', '57014', '57P01', '42P01']) t.notOk(isStale(serverError(code)), code)
  t.end()
})

test('hosts that are all standbys cannot be written; otherwise one may come back', (t) => {
  const host = { host: 'a', port: 1 }
  const failures = (...causes: readonly Error[]) =>
    storageErrorOf(new NoHost(causes.map((cause) => new HostFailed(host, cause))), writing)
  const standby = new Unfit('the server is a standby', true)
  t.match(failures(standby, standby), { reason: 'read_only' })
  t.match(failures(standby, new Error('timeout expired')), { reason: 'busy' })
  t.match(failures(new Unfit('fsync is off', false)), { reason: 'busy' })
  t.end()
})

test('a server without room or resources is unavailable', (t) => {
  t.match(storageErrorOf(serverError('53100'), writing), { code: 'storage_unavailable', reason: 'full' })
  const failed = { code: 'storage_unavailable', reason: 'disk_failed', detail: '58030: io_error' }
  t.match(storageErrorOf(serverError('58030'), writing), failed)
  for (const code of ['53200', '53300', '40001', '55P03', '57014'])
    t.match(storageErrorOf(serverError(code), writing), { code: 'storage_unavailable', reason: 'busy' }, code)
  t.end()
})

test('an error names table and constraint, and no value', (t) => {
  const error = serverError('23514', { table: 'webhooks', constraint: 'webhooks_check' })
  t.same(storageErrorOf(error, writing), {
    code: 'storage_failed',
    detail: '23514 webhooks webhooks_check',
  })
  for (const thrown of [serverError('22001'), new TypeError(canary), canary, { canary }])
    t.notMatch(JSON.stringify(storageErrorOf(thrown, writing)), canary)
  t.end()
})
