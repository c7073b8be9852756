import { expectErr } from '@sotto/test-kit'
import t from 'tap'
import { createFiles } from '../../src/files/slice.ts'
import type { uploadFiles } from '../../src/files/upload-files.ts'
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

t.test('createFiles throws a TypeError for each port that is missing', async (t) => {
  const { deps: ports } = await createWorld()
  const names = [
    'secretFiles',
    'fileContents',
    'fileCipher',
    'textCipher',
    'digests',
    'idempotencyKeys',
    'clock',
    'random',
  ]
  for (const name of names) {
    const missing = { name: 'TypeError', message: new RegExp(`^ports\\.${name}\\.\\w+ is missing$`) }
    t.throws(() => createFiles({ ports: { ...ports, [name]: undefined } }), missing, name)
  }
})

t.test('uploadFiles refuses a draft that has not the id and the number of files', async (t) => {
  const { sotto, accountId } = await createWorld()
  for (const draft of [{}, { id: accountId }, { id: 1, filesCount: 1 }, { id: accountId, filesCount: '1' }]) {
    const input = { accountId, files: arriving({ name: 'a' }), draft } as Parameters<typeof uploadFiles>[1]
    const { errors } = expectErr(await sotto.uploadFiles(input), 'fields_invalid')
    t.strictSame(errors, [{ field: 'draft', rule: 'wrong_type' }])
  }
})
