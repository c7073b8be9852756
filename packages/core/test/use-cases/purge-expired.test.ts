import t from 'tap'
import { errAsync } from 'neverthrow'
import { createSecret } from '../../src/use-cases/create-secret.ts'
import { purgeExpired } from '../../src/use-cases/purge-expired.ts'
import { takeQuota } from '../../src/use-cases/take-quota.ts'
import { createWorld, dayMicros, secondMicros, startMicros } from '../world.ts'

t.test('what expired ten minutes ago is erased, and nothing before', async (t) => {
  const { ports, accountId, folderId } = await createWorld()
  for (let count = 0; count < 120; count += 1) {
    t.ok((await createSecret(ports, { accountId, folderId, label: 'x', note: 'y' })).isOk())
  }
  ports.clock.advance(1)
  const kept = (await createSecret(ports, { accountId, folderId, label: 'x', note: 'y' }))._unsafeUnwrap()
  ports.clock.set(startMicros + 30 * dayMicros + 600 * secondMicros - 1)
  t.strictSame((await purgeExpired(ports))._unsafeUnwrap(), { secrets: 0, quotaBuckets: 0 })
  ports.clock.advance(1)
  t.equal((await purgeExpired(ports))._unsafeUnwrap().secrets, 120, 'in more than one batch')
  t.ok((await ports.secrets.find(accountId, kept.id))._unsafeUnwrap())
})

t.test('quota windows that are over are erased, so that no address stays', async (t) => {
  const { ports } = await createWorld()
  t.ok((await takeQuota(ports, { bucket: { kind: 'address', address: '192.0.2.1' } })).isOk())
  ports.clock.advance(dayMicros - 1)
  t.equal((await purgeExpired(ports))._unsafeUnwrap().quotaBuckets, 0)
  ports.clock.advance(1)
  t.equal((await purgeExpired(ports))._unsafeUnwrap().quotaBuckets, 1)
})

t.test('a store that cannot erase ends the purge with its error', async (t) => {
  const { ports } = await createWorld()
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const secrets = { ...ports.secrets, eraseExpired: () => errAsync(busy) }
  t.strictSame((await purgeExpired({ ...ports, secrets }))._unsafeUnwrapErr(), busy)
})
