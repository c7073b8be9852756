import t from 'tap'
import { toWireFolder, toWireRenamed } from '../../src/folders/folder.ts'

// Promise (The JSON API): A folder has id, label, created_at, drafts_count, secrets_count
t.test('a folder has the fields of the API and no others', async (t) => {
  t.same(toWireFolder({ id: 'f', label: 'Label', createdAtMicros: 5, draftsCount: 1, secretsCount: 2 }), {
    id: 'f',
    label: 'Label',
    created_at: '1970-01-01T00:00:00.000005Z',
    drafts_count: 1,
    secrets_count: 2,
  })
})

t.test('what was renamed', async (t) => {
  t.equal(JSON.stringify(toWireRenamed('f', 'New')), '{"id":"f","label":"New"}')
})
