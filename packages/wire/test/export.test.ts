import type { Ciphertext } from '@sotto/core'
import t from 'tap'
import {
  toWireDestroyed,
  toWireExportItem,
  toWireRenamed,
  toWireMailedInvitation,
  toWireSecretOverview,
  toWireSession,
  toWireInvitation,
} from '../src/export.ts'
import { invitationUrl } from '../src/invitations/invitation-url.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

const time = (digit: number): string => `1970-01-01T00:00:00.00000${digit}Z`

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
  lockedUntilMicros: 6,
  isDisabled: false,
  hasNote: true,
}

t.test('a secret with what happened to its link', async (t) => {
  t.equal(
    JSON.stringify(toWireSecretOverview(overview, 'https://s')),
    `{"id":"s","label":"Label","expires_at":"${time(3)}","folder_id":"f","created_at":"${time(1)}",` +
      `"link":{"url":"https://s/T","created_at":"${time(2)}"},"open_limit":3,"notify":true,"has_password":true,` +
      `"opens":2,"opens_left":1,"opened_at":["${time(5)}","${time(4)}"],"locked_until":"${time(6)}",` +
      '"disabled":false,"has_note":true}',
  )
  const unlimited = { ...overview, openLimit: undefined, opensLeft: undefined, lockedUntilMicros: undefined }
  t.match(toWireSecretOverview(unlimited, 'https://s'), {
    open_limit: 0,
    opens_left: null,
    locked_until: null,
  })
})

t.test('a one-time link', async (t) => {
  const replaced = { replacesPassword: true, removedWebhookHosts: ['hooks.example.org'] }
  const invitation = { account, kind: 'reset', token: 'T', expiresAtMicros: 7, ...replaced } as const
  t.equal(
    JSON.stringify(toWireInvitation(invitation, 'https://a')),
    `{"id":"a","email":"ann@example.org","kind":"reset","url":"https://a/welcome/T","expires_at":"${time(7)}"}`,
  )
  t.equal(
    JSON.stringify(toWireMailedInvitation(invitation)),
    `{"id":"a","email":"ann@example.org","kind":"reset","mailed":true,"expires_at":"${time(7)}"}`,
    'without the link where it was mailed',
  )
  t.equal(invitationUrl('http://localhost:3000', 'T'), 'http://localhost:3000/welcome/T')
})

t.test('what was destroyed or renamed', async (t) => {
  t.equal(JSON.stringify(toWireDestroyed('s')), '{"id":"s","destroyed":true}')
  t.equal(JSON.stringify(toWireRenamed('f', 'New')), '{"id":"f","label":"New"}')
})

t.test('a session, without its token', async (t) => {
  const session = {
    id: 's',
    name: undefined,
    createdAtMicros: 1,
    reauthenticatedAtMicros: 2,
    lastUsedAtMicros: 3,
  }
  t.equal(
    JSON.stringify(toWireSession(session)),
    `{"id":"s","name":null,"created_at":"${time(1)}","last_used_at":"${time(3)}"}`,
  )
})

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
  const item = { ...draft, files: [], showsFiles: false, sealedFiles: undefined, version: 'v' }
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
  const item = { ...draft, files: [file], showsFiles: true, sealedFiles, note: 'text', version: 'v' }
  const shown = JSON.stringify(toWireExportItem({ kind: 'draft', item }, 'https://s'))
  for (const hidden of ['sealed', '251', 'a.pdf']) t.notOk(shown.includes(hidden), hidden)
})
