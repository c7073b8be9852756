import type { Ciphertext } from '@sotto/core'
import t from 'tap'
import { toWireExportItem } from '../src/export.ts'

const account = {
  id: 'a',
  email: 'ann@example.org',
  externalId: undefined,
  createdAtMicros: 1,
  disabledAtMicros: undefined,
  language: undefined,
  mails: { enabled: true, nameLabels: false },
  notifies: false,
  isHeld: false,
  displayName: undefined,
}

const overview = {
  id: 's',
  folderId: 'f',
  label: 'Label',
  createdAtMicros: 1,
  openLimit: 3,
  notify: true,
  hasPassword: true,
  link: { token: 'T', createdAtMicros: 2 },
  expiresAtMicros: 3,
  status: 'opened' as const,
  opens: 2,
  opensLeft: 1,
  openedAtMicros: [5, 4],
  news: 2,
  lockedUntilMicros: 6,
  isDisabled: false,
  hasNote: true,
}

t.test('a download says null where a draft’s note or an account’s language is missing', async (t) => {
  const { link: _, expiresAtMicros: __, ...draft } = overview
  const at = 'https://s'
  t.match(toWireExportItem({ kind: 'account', item: account }, at), {
    id: 'a',
    language: null,
    mails: { enabled: true, name_labels: false },
    notifies: false,
    display_name: null,
  })
  const named = { ...account, notifies: true, displayName: 'Ann' }
  t.match(toWireExportItem({ kind: 'account', item: named }, at), { notifies: true, display_name: 'Ann' })
  const item = {
    ...draft,
    files: [],
    showsFiles: false,
    sealedFiles: undefined,
    answers: undefined,
    version: 'v',
  }
  t.match(toWireExportItem({ kind: 'draft', item: { ...item, note: undefined } }, at), { note: null })
  t.match(toWireExportItem({ kind: 'draft', item: { ...item, note: 'text' } }, at), { note: 'text' })
  t.match(toWireExportItem({ kind: 'secret', item: overview }, at), { id: 's', opens: 2 })
})

t.test('a download has files without keys, with the secrets and drafts that they belong to', async (t) => {
  const file = { id: 'f', name: 'a.pdf', size: 3, type: 'application/pdf' }
  t.equal(
    JSON.stringify(toWireExportItem({ kind: 'file', item: { ...file, secretId: 's' } }, 'https://s')),
    '{"id":"f","secret_id":"s","name":"a.pdf","size":3,"type":"application/pdf"}',
  )
  const { link: _, expiresAtMicros: __, ...draft } = overview
  const sealedFiles = { kid: 1, ciphertext: new Uint8Array([251]) as Ciphertext }
  const item = {
    ...draft,
    files: [file],
    showsFiles: true,
    sealedFiles,
    note: 'text',
    answers: undefined,
    version: 'v',
  }
  const shown = JSON.stringify(toWireExportItem({ kind: 'draft', item }, 'https://s'))
  for (const hidden of ['sealed', '251', 'a.pdf']) t.notOk(shown.includes(hidden), hidden)
})
