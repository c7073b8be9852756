import { readFileSync } from 'node:fs'
import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startSso } from '../support/sso.ts'

const document = readFileSync(new URL('../../../../docs/monitoring.md', import.meta.url), 'utf8')

/** What each form writes into the log when it has done what it is for; or, after `none:`, why it writes nothing. */
const lines: Readonly<Record<string, string>> = {
  '/login': 'signed_in',
  '/login/passkey': 'signed_in',
  '/login/reset': 'reset_asked',
  '/login/sso/logout': 'sessions_ended_by_provider',
  '/logout': 'signed_out',
  '/welcome/:token': 'password_chosen',
  '/welcome/:token/sso': 'none: nothing is changed before the browser comes back (`invitation_taken`)',
  '/confirm/:token': 'email_changed',
  '/secrets/new': 'secret_created',
  '/secrets/:id/unlock': 'secret_unlocked',
  '/secrets/:id/destroy': 'secret_destroyed',
  '/secrets/delete': 'secret_destroyed',
  '/secrets/finished': 'finished_secrets_removed',
  '/drafts/:id': 'draft_saved',
  '/drafts/:id/note': 'none: it shows the note; a wrong password writes `draft_password_refused`',
  '/drafts/:id/delete': 'draft_deleted',
  '/folders': 'folder_created',
  '/folders/:id': 'folder_renamed',
  '/folders/:id/delete': 'folder_deleted',
  '/requests/new': 'request_created',
  '/requests/:id/close': 'request_closed',
  '/search': 'none: it changes nothing',
  '/settings/name': 'display_name_changed',
  '/settings/language': 'language_changed',
  '/settings/email': 'email_change_asked',
  '/settings/password': 'password_changed',
  '/settings/download': 'account_downloaded',
  '/settings/delete': 'account_deleted',
  '/settings/sessions/:id/name': 'session_named',
  '/settings/sessions/:id/end': 'session_ended',
  '/settings/tokens': 'token_created',
  '/settings/tokens/:id/revoke': 'token_revoked',
  '/settings/sign-in/connect':
    'none: nothing is changed before the browser comes back (`identity_connected`)',
  '/settings/sign-in/identities/:id/disconnect': 'identity_disconnected',
  '/settings/sign-in/passkeys': 'passkey_added',
  '/settings/sign-in/passkeys/:id/delete': 'passkey_deleted',
  '/settings/notifications/mails': 'mails_changed',
  '/settings/notifications/mails/test': 'none: it changes nothing',
  '/settings/notifications/webhooks': 'webhook_created',
  '/settings/notifications/webhooks/:id/test': 'none: it changes nothing',
  '/settings/notifications/webhooks/:id/delete': 'webhook_deleted',
}

// Promise (The owner's pages): Whatever an owner changes has an audit line.
t.test('each form of the pages has a documented audit line, or a reason to have none', async (t) => {
  const { urls, request, makeOwner } = await startSso(t)
  const as = await makeOwner()
  const posts: string[] = []
  for (const url of urls) {
    const path = url.replace(/:\w+/g, '01890000-0000-7000-8000-000000000000')
    const { statusCode, headers } = await request('PUT', path, { as })
    t.equal(statusCode, 405, url)
    if (/\bPOST\b/.test(String(headers.allow))) posts.push(url)
  }
  t.same(posts.sort(), Object.keys(lines).sort())
  for (const [path, event] of Object.entries(lines))
    if (!event.startsWith('none: ')) t.ok(document.includes(`\`${event}\``), `${path}: ${event}`)
})

t.test('what changes folders, drafts and the language writes its line', async (t) => {
  const { get, post, makeOwner, makeFolder, sotto, logLines } = await startSso(t)
  const { accountId, ...as } = await makeOwner()
  const done = async (path: string, fields: Record<string, string>) =>
    t.equal((await post(path, fields, { as })).statusCode, 303, path)
  const draft = async (folderId: string) =>
    expectOk(await sotto.saveDraft({ accountId, folderId, label: 'L', note: 'N', openLimit: 1 })).id
  const folder = await makeFolder(accountId)
  const [alone, first, second] = [await draft(folder), await draft(folder), await draft(folder)]
  const before = logLines.length
  await done('/folders', { label: 'Another' })
  await done(`/folders/${folder}`, { label: 'Renamed' })
  await done(`/drafts/${alone}/delete`, {})
  await done('/secrets/delete', { [`draft-${first}`]: 'on', [`draft-${second}`]: 'on', action: 'delete' })
  await done(`/folders/${folder}/delete`, { shown: '0' })
  await done('/settings/language', { language: 'de' })
  t.equal((await get('/dashboard', { as })).statusCode, 200)
  const written = logLines
    .slice(before)
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ audit }) => audit)
  t.match(written[0], { event: 'folder_created', account_id: accountId, folder_id: /^[\da-f-]{36}$/ })
  t.match(written.slice(1), [
    { event: 'folder_renamed', account_id: accountId, folder_id: folder },
    { event: 'draft_deleted', account_id: accountId, secret_id: alone },
    { event: 'draft_deleted', account_id: accountId },
    { event: 'draft_deleted', account_id: accountId },
    { event: 'folder_deleted', account_id: accountId, folder_id: folder },
    { event: 'language_changed', account_id: accountId },
  ])
  t.equal(written.length, 7)
  t.same(new Set(written.slice(3, 5).map(({ secret_id }) => secret_id)), new Set([first, second]))
})
