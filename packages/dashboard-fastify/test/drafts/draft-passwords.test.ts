import { lockMicros, wrongToDisable, wrongToLock } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { startDashboard } from '../support/app.ts'

const right = 'the right password'

/** A draft with a password, its path, and how its owner asks for its note. */
async function start(t: Test) {
  const dashboard = await startDashboard(t, { perMinute: 10_000, perDay: 10_000 })
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const folderId = await dashboard.makeFolder(accountId)
  const draft = { accountId, folderId, label: 'Draft', note: 'hidden text', password: right }
  const { id } = expectOk(await dashboard.sotto.saveDraft(draft))
  const path = `/drafts/${id}`
  return {
    dashboard,
    owner,
    folderId,
    id,
    path,
    ask: (password: string) => dashboard.post(`${path}/note`, { password }, { as: owner }),
  }
}

t.test('five wrong passwords lock the note of a draft, and the page says until when', async (t) => {
  const { dashboard, ask } = await start(t)
  for (let time = 0; time < wrongToLock; time += 1) {
    const { statusCode, body } = await ask('wrong')
    t.equal(statusCode, 400)
    t.match(body, 'This password is not right.')
  }
  const locked = await ask(right)
  t.match(locked, { statusCode: 429, headers: { 'retry-after': '1800' } })
  t.match(locked.body, /name="password"[^>]*aria-invalid="true"/)
  t.match(locked.body, 'Too many failed attempts. You can try again in 30 minutes.')
  t.notMatch(locked.body, /hidden text|the right password/)
  dashboard.clock.advance(lockMicros)
  const shown = await ask(right)
  t.equal(shown.statusCode, 200)
  t.match(shown.body, 'hidden text')
  const log = dashboard.logLines.join('')
  t.equal(log.match(/"event":"draft_password_refused"/g)?.length, wrongToLock)
  t.equal(log.match(/"event":"draft_locked"/g)?.length, 1)
})

t.test('after a hundred wrong passwords the page asks for another note', async (t) => {
  const { dashboard, owner, folderId, id, path, ask } = await start(t)
  for (let time = 0; time < wrongToDisable; time += 1) {
    if (time > 0 && time % wrongToLock === 0) dashboard.clock.advance(lockMicros)
    t.equal((await ask('wrong')).statusCode, 400)
  }
  const again = await dashboard.signIn({ email: owner.email, password: 'correct horse battery' })
  const as = { token: /sotto=([^;]+)/.exec(String(again.headers['set-cookie']))?.[1] ?? '' }
  const refused = await dashboard.post(`${path}/note`, { password: right }, { as })
  const page = await dashboard.get(path, { as })
  for (const [{ statusCode, body }, status] of [
    [refused, 409],
    [page, 200],
  ] as const) {
    t.equal(statusCode, status)
    t.match(body, 'Wrong passwords were entered for this draft a hundred times.')
    t.notMatch(body, `${path}/note`, 'the note is not asked for any more')
    t.match(body, /<textarea[^>]* name="note"/, 'another one is')
    t.notMatch(body, 'hidden text')
  }
  const fields = { folder: folderId, label: 'Draft', opens: '', expires: '3600' }
  const kept = await dashboard.post(path, { ...fields, action: 'share' }, { as })
  t.match(kept, { statusCode: 303, headers: { location: `${path}?done=draftNotShared` } }, 'an older page')
  const content = { content: 'on', note: 'new text', password: 'new password' }
  const shared = await dashboard.post(path, { ...fields, ...content, action: 'share' }, { as })
  t.match(shared, { statusCode: 303, headers: { location: `/secrets/${id}?new=1` } })
  const { link } = expectOk(await dashboard.sotto.viewSecret({ accountId: owner.accountId, id }))
  const opened = await dashboard.sotto.openSecret({ token: link.token, password: 'new password' })
  t.equal(expectOk(opened).note, 'new text')
})
