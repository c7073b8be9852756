import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { refusalReasons } from './refusal-reasons.ts'

/** The kinds of callers whose calls a quota counts. */
const quotaKinds = ['account', 'address', 'pages', 'tests'] as const

const short = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const long = [1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400]
const powers = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export type Instruments = ReturnType<typeof createInstruments>

/**
 * Everything that is measured: the only place that knows the names. A label is a constant of the program or a route's pattern, never
 * anything that a caller sent.
 */
export function createInstruments(registry: Registry) {
  return { ...ofService(registry), ...ofStorage(registry), ...ofOutbox(registry) }
}

function ofService(registry: Registry) {
  const { counter, gauge, histogram } = makers(registry)
  const instruments = {
    info: gauge('sotto_info', 'Always 1; the label says which version runs.', ['version']),
    requests: counter('sotto_http_requests_total', 'Answers, by the pattern of their route.', [
      'method',
      'route',
      'status',
    ]),
    requestSeconds: histogram(
      'sotto_http_request_duration_seconds',
      'From when a request was received until its answer was sent.',
      { buckets: [...short, 5, 10], labels: ['method', 'route'] },
    ),
    created: counter(
      'sotto_secrets_created_total',
      'Secrets that were created with a link, or shared from a draft.',
      ['by'],
    ),
    opens: counter('sotto_opens_total', 'Opens that were claimed and delivered.'),
    answers: counter('sotto_answers_total', 'Answers to requests that were accepted.'),
    refusals: counter('sotto_refusals_total', 'Requests that were refused, by reason.', ['reason']),
    quotaRefusals: counter('sotto_quota_refusals_total', 'Requests beyond a quota.', ['quota']),
    hashWait: histogram('sotto_hash_wait_seconds', 'How long a password waited to be hashed with Argon2id.', {
      buckets: short,
      labels: ['queue'],
    }),
    hashQueue: gauge('sotto_hash_queue_length', 'Passwords that wait to be hashed.', ['part']),
    hashesRunning: gauge('sotto_hashes_running', 'Passwords that are being hashed.', ['part']),
  }
  // The counters begin at 0, so that the first refusal is an increase.
  for (const reason of refusalReasons) instruments.refusals.inc({ reason }, 0)
  for (const quota of quotaKinds) instruments.quotaRefusals.inc({ quota }, 0)
  for (const by of ['create', 'share']) instruments.created.inc({ by }, 0)
  return instruments
}

function ofStorage(registry: Registry) {
  const { counter, gauge, histogram } = makers(registry)
  return {
    commitWait: histogram(
      'sotto_commit_wait_seconds',
      'From when a write was asked for until it was committed.',
      {
        buckets: short,
        labels: ['part'],
      },
    ),
    batchWrites: histogram('sotto_commit_batch_writes', 'How many writes a transaction committed together.', {
      buckets: powers,
      labels: ['part'],
    }),
    commitQueue: gauge('sotto_commit_queue_length', 'Writes that wait to be committed.', ['part']),
    conflicts: counter('sotto_commit_conflicts_total', 'Transactions that ran again because of a conflict.', [
      'part',
    ]),
    checkpoint: histogram(
      'sotto_checkpoint_seconds',
      'How long an attempt to empty the write-ahead log took.',
      {
        buckets: short,
        labels: ['part'],
      },
    ),
    walBytes: gauge('sotto_wal_bytes', 'The size of the write-ahead log.', ['part']),
    connectionsOpen: gauge('sotto_database_connections_open', 'Connections to PostgreSQL, in use or idle.', [
      'part',
    ]),
    connectionsUsed: gauge('sotto_database_connections_used', 'Connections to PostgreSQL in use.', ['part']),
    connectionsWaiting: gauge(
      'sotto_database_connections_waiting',
      'Callers that wait for a connection to PostgreSQL.',
      ['part'],
    ),
    writable: gauge(
      'sotto_storage_writable',
      'Whether a write as that of a secret succeeds: 1, or 0 when it fails or takes longer than 5 s.',
    ),
    rows: gauge('sotto_rows', 'Rows, counted at most every five minutes.', ['table']),
    fileBytes: gauge(
      'sotto_file_bytes',
      'Bytes that all files count, those that arrive included, counted at most every five minutes.',
    ),
    clockOffset: gauge(
      'sotto_clock_offset_seconds',
      "How far the database's clock, which decides, is ahead of this machine's; 0 on SQLite.",
    ),
    lastSweep: gauge(
      'sotto_last_sweep_timestamp_seconds',
      'When a sweep of expired secrets was last recorded.',
    ),
    erasurePending: gauge(
      'sotto_erasure_pending_seconds',
      'For how long erased data may have been in a file; 0 when none is.',
    ),
    unreadable: counter(
      'sotto_unreadable_total',
      'Readings for this page that the storage could not answer.',
    ),
  }
}

function ofOutbox(registry: Registry) {
  const { counter, gauge, histogram } = makers(registry)
  const instruments = {
    outbox: gauge(
      'sotto_outbox_length',
      'What is in the outbox: events without a target, deliveries that wait, and dead ones.',
      ['state'],
    ),
    outboxOldest: gauge(
      'sotto_outbox_oldest_seconds',
      'The age of the event that waits longest; 0 when none waits.',
    ),
    outboxWait: histogram(
      'sotto_outbox_wait_seconds',
      'From when a delivery was due until it was taken up.',
      {
        buckets: [0.01, 0.1, ...long],
        labels: ['kind'],
      },
    ),
    deliveries: counter('sotto_deliveries_total', 'Attempts to deliver, by what became of them.', [
      'kind',
      'outcome',
    ]),
    lastDelivery: gauge(
      'sotto_last_delivery_timestamp_seconds',
      'When this process last delivered a message; 0 before.',
      ['kind'],
    ),
  }
  for (const kind of ['mail', 'webhook']) {
    instruments.lastDelivery.set({ kind }, 0)
    for (const outcome of ['done', 'retry', 'dead']) instruments.deliveries.inc({ kind, outcome }, 0)
  }
  return instruments
}

function makers(registry: Registry) {
  const registers = [registry]
  return {
    counter: (name: string, help: string, labelNames: readonly string[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: (name: string, help: string, labelNames: readonly string[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: (
      name: string,
      help: string,
      { buckets, labels }: { readonly buckets: readonly number[]; readonly labels: readonly string[] },
    ) => new Histogram({ name, help, buckets: [...buckets], labelNames: labels, registers }),
  }
}
