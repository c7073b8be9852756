import { claimOpen } from '@sotto/core'
import { expectOk, noonMicros } from '@sotto/test-kit'
import { after, test } from 'tap'
import { createBatchedReads } from '../../src/connection/batched-reads.ts'
import { createAccessTokens } from '../../src/access-tokens/access-tokens.ts'
import { createOwns } from '../../src/folders/folder-owners.ts'
import { createLinks } from '../../src/secrets/links.ts'
import { createQuota } from '../../src/quota/quota.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { openDatabase } from '../support/raw.ts'
import { addSampleLink } from '../support/sample-link.ts'

const databases = await startDatabases()
after(() => databases.stop())

/** The server tries so many plans for the values of a call before it keeps one for all. */
const triedPlans = 5

test('the server plans no statement of a hot path again for each call, however few calls share it', async (t) => {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  const { secret, make, folder } = await addSampleLink(storage)
  const db = openDatabase(url, { connectionsMax: 1 })
  const reads = createBatchedReads(db)
  const tokens = createAccessTokens(db, reads)
  const [owns, secrets] = [createOwns(reads), createSecrets(db)]
  const [links, quota] = [createLinks(db), createQuota(db)]
  const { accountId, id, link } = secret
  for (let turn = 0; turn < 4 * triedPlans; turn += 1) {
    expectOk(await tokens.findUsable(make.tokenDigest(), noonMicros))
    expectOk(await owns(accountId, folder.id))
    expectOk(await secrets.find(accountId, id, noonMicros))
    expectOk(await secrets.insert(make.secret(folder), make.note()))
    expectOk(await quota.take('account/one', noonMicros, { perMinute: 100, perDay: 100 }))
    const find = () => links.findWithNote(link.lookup, { nowMicros: noonMicros, evenWithPassword: false })
    expectOk(await find())
    expectOk(await links.find(link.lookup, noonMicros))
    const claim = { attemptId: undefined, nowMicros: noonMicros, eventId: undefined }
    for (const formId of [undefined, make.formId()])
      expectOk(await links.update(link.lookup, formId, (record) => claimOpen(record, claim)))
  }
  const plans = await db.read((sql) =>
    sql.rows<[name: string, tried: number, kept: number]>({
      name: 'plans',
      text: `SELECT name, custom_plans, generic_plans FROM pg_prepared_statements WHERE name NOT IN ('plans') ORDER BY name`,
    }),
  )
  const hot = [
    ...['access_tokens_find_usable', 'folders_owns', 'links_find', 'links_find_many', 'links_find_with_note'],
    ...['links_update_one', 'quota_take', 'secrets_find', 'secrets_insert_1'],
  ]
  const counted = new Map(expectOk(plans).map(([name, tried, kept]) => [name, { tried, kept }]))
  for (const name of hot) {
    t.equal(counted.get(name)?.tried, triedPlans, name)
    t.ok((counted.get(name)?.kept ?? 0) >= triedPlans, name)
  }
  quota.close()
  await Promise.all([storage.close(), db.close()])
  giveBack()
})
