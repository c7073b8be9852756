import type { StorageHarness } from '@sotto/test-kit'
import { brokenStore, pause, slowly, type Broken } from './broken.ts'

const secrets = brokenStore('secrets')

/** Flaws of what `eraseExpired` reports. */
export const brokenReports: readonly Broken<StorageHarness>[] = [
  secrets(
    'loses the reports',
    ['secret-store/erase-reports-the-unopened', 'secret-store/erase-reports-wrong-attempts-as-unopened'],
    (store, data) => ({
      eraseExpired: (...asked) => store.eraseExpired(...asked).map((erased) => (data.outbox.clear(), erased)),
    }),
  ),
  secrets('reports opened secrets', ['secret-store/erase-reports-the-unopened'], (store, data) => ({
    eraseExpired(...asked) {
      for (const [id, row] of data.secrets) data.secrets.set(id, { ...row, opens: 0 })
      return store.eraseExpired(...asked)
    },
  })),
  secrets('reports secrets without notify', ['secret-store/erase-reports-the-unopened'], (store, data) => ({
    eraseExpired(...asked) {
      for (const [id, row] of data.secrets) {
        data.secrets.set(id, { ...row, secret: { ...row.secret, notify: true } })
      }
      return store.eraseExpired(...asked)
    },
  })),
  secrets(
    'takes an attempt for an open',
    ['secret-store/erase-reports-wrong-attempts-as-unopened'],
    (store, data) => ({
      eraseExpired(...asked) {
        for (const [id, row] of data.secrets) {
          if (row.attempts.wrongTotal > 0) data.secrets.set(id, { ...row, opens: 1 })
        }
        return store.eraseExpired(...asked)
      },
    }),
  ),
  secrets(
    'reports what it does not erase',
    ['secret-store/erase-reports-each-secret-once'],
    (store, data) => ({
      eraseExpired(byMicros, limit, report) {
        for (const { secret } of data.secrets.values()) {
          const { link } = secret
          if (!link || !secret.notify) continue
          const event = report({ ...secret, link })
          data.outbox.set(event.id, event)
        }
        return store.eraseExpired(byMicros, limit, report)
      },
    }),
  ),
  secrets('erases, then reports', ['secret-store/erase-reports-each-secret-once'], (store, data) => ({
    eraseExpired: (byMicros, limit, report) =>
      slowly(async () => {
        const before = [...data.secrets.values()]
        const erased = await store.eraseExpired(byMicros, limit, report)
        await pause()
        for (const { secret } of before) {
          const { link } = secret
          if (!link || data.secrets.has(secret.id)) continue
          const event = report({ ...secret, link })
          data.outbox.set(event.id, event)
        }
        return erased
      }),
  })),
]
