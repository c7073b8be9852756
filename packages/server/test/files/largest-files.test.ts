import { expectOk } from '@sotto/test-kit'
import { join } from 'node:path'
import { createSystemClock } from '@sotto/system'
import t from 'tap'
import { largestFiles } from '../../src/files/largest-files.ts'
import { addSecretWithFiles } from '../support/files.ts'
import { openIn } from '../support/installation.ts'

t.test(
  'doctor names the five accounts with the largest files, and nothing where none are taken',
  async (t) => {
    const cwd = t.testdir()
    const installation = await openIn(cwd)
    t.teardown(() => installation.close())
    const { storage, sotto } = installation
    const policy = { maxBytes: 1_000_000, accountMaxBytes: 1_000_000 }
    const given = { storage, keysFile: join(cwd, 'keys', 'sotto-keys.json'), clock: createSystemClock() }
    t.same(await largestFiles({ ...given, policy }), [])
    for (const [at, kilobytes] of [10, 60, 20, 50, 30, 40, 0].entries()) {
      const { id: accountId } = expectOk(await sotto.createAccount({ email: `a${at}@example.org` }))
      const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Folder' }))
      const content = Buffer.alloc(kilobytes * 1_024)
      if (kilobytes > 0)
        await addSecretWithFiles(installation, { accountId, folderId, token: '' }, [{ name: 'a', content }])
    }
    const [found, ...others] = await largestFiles({ ...given, policy })
    t.match(found, { check: 'files', ok: true })
    const named = [...(found?.text ?? '').matchAll(/a(\d)@example\.org \(\d+\.\d kB\)/g)].map(([, at]) => at)
    t.same([named, others], [['1', '3', '5', '4', '2'], []])
    for (const off of [undefined, { ...policy, maxBytes: 0 }])
      t.same(await largestFiles({ ...given, policy: off }), [])
  },
)
