import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { fileUsage } from '../../src/files/file-usage.ts'
import { counted, shareFiles, uploaded } from '../files.ts'
import { createWorld } from '../world.ts'

t.test(
  'an account sees how many bytes its files count, those that arrive included, and how many they may count',
  async (t) => {
    const world = await createWorld()
    const { deps, accountId } = world
    const bounds = { accountMaxBytes: 1_000_000, maxBytes: 100, filesMax: 10 }
    t.strictSame(expectOk(await fileUsage(deps, { accountId })), { usedBytes: 0, ...bounds })
    await shareFiles(world, ['12345', '1'])
    await uploaded(world, ['of no secret yet'])
    t.strictSame(expectOk(await fileUsage(deps, { accountId })), { usedBytes: 3 * counted, ...bounds })
    const off = { ...deps, policy: {} }
    const none = { usedBytes: 3 * counted, accountMaxBytes: 0, maxBytes: 0, filesMax: 10 }
    t.strictSame(expectOk(await fileUsage(off, { accountId })), none)
  },
)
