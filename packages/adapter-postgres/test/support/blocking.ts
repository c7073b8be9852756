import pg from 'pg'

const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/**
 * Runs `statements` in a transaction, calls `call` beside it, and commits once that waits for a lock of the transaction. Rejects when the
 * call ends without having waited.
 */
export async function besideTransaction<T>(
  url: string,
  statements: readonly string[],
  call: () => PromiseLike<T>,
): Promise<T> {
  const [client, observer] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([client.connect(), observer.connect()])
  try {
    await client.query(['BEGIN', ...statements].join('; '))
    const called = call()
    const progress = { isOver: false }
    const end = (): void => void (progress.isOver = true)
    called.then(end, end)
    while ((await observer.query(waiting)).rowCount === 0) {
      if (progress.isOver) throw new Error('the call waited for no lock')
    }
    await client.query('COMMIT')
    return await called
  } finally {
    await Promise.all([client.end(), observer.end()])
  }
}
