import { expectErr } from '@sotto/test-kit'
import t from 'tap'
import { createFiles } from '../../src/slices/files.ts'
import { arriving } from '../files.ts'
import { createWorld } from '../world.ts'

t.test('createFiles asks for the bounds of files alone, and takes none without them', async (t) => {
  const { deps: ports, accountId } = await createWorld()
  const files = createFiles({ ports })
  const refused = await files.uploadFiles({ accountId, files: arriving({ name: 'a' }) })
  t.strictSame(expectErr(refused), { code: 'files_off' })
  const none = { maxBytes: 1, accountMaxBytes: 0 }
  const wanted = new TypeError('policy.files.accountMaxBytes must be a positive whole number')
  t.throws(() => createFiles({ ports, policy: { files: none } }), wanted)
})
