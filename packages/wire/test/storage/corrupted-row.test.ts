import t from 'tap'
import { toWireCorruptedRow, toWireDroppedCorruptedRows } from '../../src/storage/corrupted-row.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

t.test('corrupted rows, in a restore too, and what was done with them', async (t) => {
  const row = { kind: 'folder', id: 'f', accountId: 'a' } as const
  const corrupted = { ...row, error: { code: 'data_damaged', what: 'folder.label', id: 'f' } } as const
  const text = '{"kind":"folder","id":"f","account_id":"a","code":"data_damaged","what":"folder.label"'
  t.equal(JSON.stringify(toWireCorruptedRow(corrupted)), `${text}}`)
  t.match(toWireCorruptedRow({ ...row, error: { code: 'key_unknown', kid: 7 } }), {
    code: 'key_unknown',
    kid: 7,
  })
  const dropped = [{ ...corrupted, outcome: 'replaced' }] as const
  const refused = [{ id: 's', reason: 'not_damaged' }] as const
  t.equal(
    JSON.stringify(toWireDroppedCorruptedRows({ dropped, refused })),
    `{"dropped":[${text},"outcome":"replaced"}],"refused":[{"id":"s","reason":"not_damaged"}]}`,
  )
})
