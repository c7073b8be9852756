import t from 'tap'
import { startApi } from '../support/api.ts'

// Promise (The JSON API): A client can list its folders
t.test('lists the folders of the account with their counts, the oldest first', async (t) => {
  const api = await startApi(t)
  api.clock.advance(1)
  const second = await api.makeFolder(api.accountId, 'Zweiter “Ordner”')
  await api.makeFolder(await api.makeAccount(), 'of another account')
  await api.makeSecret(api.accountId, second)
  await api.makeDraft(api.accountId, second)
  const answer = await api.call('GET', '/api/folders')
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), {
    success: true,
    version: '1.0',
    data: [
      { id: api.folderId, label: 'Folder', drafts_count: 0, secrets_count: 0 },
      { id: second, label: 'Zweiter “Ordner”', drafts_count: 1, secrets_count: 1 },
    ],
  })
  t.equal(answer.json<{ data: unknown[] }>().data.length, 2)
})
