import fc from 'fast-check'
import t from 'tap'
import type { StoredLink, TextPlace } from '@sotto/core'
import {
  headData,
  noteData,
  textData,
  wrappedKeyData,
  type PlainColumns,
} from '../../src/shared/associated-data.ts'

const id = '019a0000-0000-7000-8000-000000000001'
const accountId = '019a0000-0000-7000-8000-00000000000a'
const folderId = '019a0000-0000-7000-8000-0000000000f1'
const link: StoredLink = { lookup: new Uint8Array(32).fill(0xab), createdAtMicros: 5, expiresAtMicros: 6 }
const row: PlainColumns = {
  ...{ id, accountId, folderId, createdAtMicros: 4, openLimit: 3, notify: false, hasPassword: true, link },
}

t.test('each kind of associated data is what docs/encryption.md says', (t) => {
  const place: TextPlace = { column: 'folder.label', accountId, rowId: folderId }
  t.equal(textData(place, 7).toString(), `8:sotto/v1,12:folder.label,36:${accountId},36:${folderId},1:7,`)
  t.equal(
    noteData('secret.note', id, accountId).toString(),
    `8:sotto/v1,11:secret.note,36:${id},36:${accountId},`,
  )
  const wrapped = `36:${id},36:${accountId},1:7,64:${'ab'.repeat(32)},1:6,1:3,1:1,`
  t.equal(wrappedKeyData(row, 7).toString(), `8:sotto/v1,11:secret.wrap,${wrapped}`)
  t.equal(headData(row, 7).toString(), `8:sotto/v1,11:secret.head,${wrapped}36:${folderId},1:4,1:5,`)
  const underAnother = wrapped.replace(',1:7,', ',1:8,')
  t.equal(wrappedKeyData(row, 8).toString(), `8:sotto/v1,11:secret.wrap,${underAnother}`, 'the same row')
  t.end()
})

t.test('the fields of a link are empty in a draft', (t) => {
  const draft = { ...row, link: undefined }
  const wrapped = `36:${id},36:${accountId},1:7,0:,0:,1:3,1:1,`
  t.equal(wrappedKeyData(draft, 7).toString(), `8:sotto/v1,11:secret.wrap,${wrapped}`)
  t.equal(headData(draft, 7).toString(), `8:sotto/v1,11:secret.head,${wrapped}36:${folderId},1:4,0:,`)
  t.end()
})

t.test('the open limit is an empty field in a secret without limit', (t) => {
  const unlimited = { ...row, openLimit: undefined }
  t.equal(
    wrappedKeyData(unlimited, 7).toString(),
    wrappedKeyData(row, 7).toString().replace(',1:3,1:1,', ',0:,1:1,'),
  )
  t.match(headData(unlimited, 7).toString(), `,1:6,0:,1:1,36:${folderId},`)
  t.notSame(
    wrappedKeyData({ ...row, openLimit: 0 }, 7),
    wrappedKeyData(unlimited, 7),
    'which is not a limit of 0',
  )
  t.end()
})

t.test('two different places are never bound to the same bytes', (t) => {
  // Ids that no row should have: with digits, colons, commas, and letters beyond ASCII.
  const odd = fc.string({ unit: fc.constantFrom('0', '1', '3', ':', ',', 'ü', 'İ', '🗝'), maxLength: 8 })
  const place = fc.record({ accountId: odd, rowId: odd, kid: fc.integer({ min: -2, max: 20 }) })
  fc.assert(
    fc.property(place, place, (one, other) => {
      const differ = JSON.stringify(one) !== JSON.stringify(other)
      const bytes = [one, other].map((each) => textData({ ...each, column: 'account.name' }, each.kid))
      t.equal(Buffer.compare(bytes[0]!, bytes[1]!) !== 0, differ)
    }),
    { numRuns: 300 },
  )
  t.end()
})

t.test('numbers that no column should hold still give different bytes', (t) => {
  const numbers = [0, 1, -1, 1.5, NaN, Infinity, 2 ** 53, 2 ** 64]
  const seen = new Set(numbers.map((openLimit) => wrappedKeyData({ ...row, openLimit }, 7).toString()))
  t.equal(seen.size, numbers.length)
  t.end()
})
