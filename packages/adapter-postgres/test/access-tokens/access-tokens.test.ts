import { expectOk, noonMicros } from '@sotto/test-kit'
import { after, test } from 'tap'
import { createBatchedReads } from '../../src/connection/batched-reads.ts'
import { createAccessTokens } from '../../src/access-tokens/access-tokens.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { openDatabase, watched } from '../support/raw.ts'
import { addSampleFolder } from '../support/sample-folder.ts'

const databases = await startDatabases()
after(() => databases.stop())

test('callers who ask for one token in one statement each keep to their own time', async (t) => {
  const { url, giveBack } = await databases.take()
  const [storage, raw] = [await openStorage(url), openDatabase(url)]
  const { make, folder } = await addSampleFolder(storage)
  const token = { ...make.accessToken(folder.accountId), expiresAtMicros: noonMicros }
  const [digest, unknown] = [make.tokenDigest(), make.tokenDigest()]
  expectOk(await storage.accessTokens.insert(token, digest))
  let statements = 0
  const db = watched(raw, (statement) => {
    statements += 1
    return statement
  })
  const tokens = createAccessTokens(db, createBatchedReads(db))
  const found = await Promise.all([
    tokens.findUsable(digest, noonMicros),
    tokens.findUsable(digest, noonMicros - 1),
    tokens.findUsable(unknown, noonMicros - 1),
    tokens.findUsable(digest, noonMicros + 1),
  ])
  t.same(
    found.map((each) => expectOk(each)?.id),
    [undefined, token.id, undefined, undefined],
  )
  t.equal(statements, 1)
  await Promise.all([storage.close(), raw.close()])
  giveBack()
})
