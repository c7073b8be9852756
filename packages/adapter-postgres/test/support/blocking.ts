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
  return insideTransaction(url, statements, async (commit) => {
    const called = call()
    await waitingForLock(url, called)
    await commit()
    return called
  })
}

/** Runs `statements` in a transaction, which is open until `work` has committed it or is done. */
export async function insideTransaction<T>(
  url: string,
  statements: readonly string[],
  work: (commit: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(['BEGIN', ...statements].join('; '))
    return await work(() => client.query('COMMIT'))
  } finally {
    await client.end()
  }
}

/** Resolves once a connection to the database waits for a lock. Rejects when `call` ends before. */
export async function waitingForLock(url: string, call: PromiseLike<unknown>): Promise<void> {
  const progress = { isOver: false }
  const end = (): void => void (progress.isOver = true)
  call.then(end, end)
  const observer = new pg.Client(url)
  await observer.connect()
  try {
    while ((await observer.query(waiting)).rowCount === 0) {
      if (progress.isOver) throw new Error('the call waited for no lock')
    }
  } finally {
    await observer.end()
  }
}
