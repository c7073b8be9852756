import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { fileUsage } from '../../src/use-cases/file-usage.ts'
import { shareFiles, uploaded } from '../files.ts'
import { createWorld } from '../world.ts'

t.test('an account sees how many bytes its files have, and how many they may have', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const bounds = { accountMaxBytes: 250, maxBytes: 100, filesMax: 10 }
  t.strictSame(expectOk(await fileUsage(deps, { accountId })), { usedBytes: 0, ...bounds })
  await shareFiles(world, ['12345', '1'])
  await uploaded(world, ['of no secret'])
  t.strictSame(expectOk(await fileUsage(deps, { accountId })), { usedBytes: 6, ...bounds })
  const off = { ...deps, policy: {} }
  const none = { usedBytes: 6, accountMaxBytes: 0, maxBytes: 0, filesMax: 10 }
  t.strictSame(expectOk(await fileUsage(off, { accountId })), none)
})
