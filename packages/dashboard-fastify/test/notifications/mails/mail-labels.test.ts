import { expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t from 'tap'
import { startDashboard, type Dashboard, type DashboardOptions, type Owner } from '../../support/app.ts'

const box = /<input type="checkbox" id="labels" name="labels"(?<checked> checked)?>/
const fields = { label: 'A label', note: 'a note', opens: '1', expires: '3600', notify: 'on' }

async function start(t: Parameters<typeof startDashboard>[0], options?: DashboardOptions) {
  const dashboard = await startDashboard(t, options)
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const folder = expectOk(await dashboard.sotto.createFolder({ accountId, label: 'Folder' })).id
  const draft = expectOk(
    await dashboard.sotto.saveDraft({ accountId, folderId: folder, label: 'L', note: 'x' }),
  )
  return {
    dashboard,
    owner,
    folder,
    draft: `/drafts/${draft.id}`,
    pages: ['/secrets/new', `/drafts/${draft.id}`],
  }
}

async function namesLabels({ sotto }: Dashboard, { accountId }: Owner): Promise<boolean> {
  return expectOk(await sotto.getAccount({ accountId })).mails.nameLabels
}

// Promise (Webhooks): The form of a secret offers that mails name the label, off at first
t.test('a secret’s form offers that mails name the label, until it is chosen', async (t) => {
  for (const kind of ['create', 'draft', 'save', 'share']) {
    const { dashboard, owner, folder, draft, pages } = await start(t)
    const isEdit = kind === 'save' || kind === 'share'
    const path = isEdit ? draft : '/secrets/new'
    const send = (more: Record<string, string>) =>
      dashboard.post(
        path,
        { ...fields, folder, action: kind, ...(isEdit && { content: 'on' }), ...more },
        { as: owner },
      )
    for (const page of pages) {
      const offer = box.exec((await dashboard.get(page, { as: owner })).body)
      t.ok(offer, `offered on ${page}`)
      t.notOk(offer?.groups?.['checked'], 'off unless chosen')
    }
    if (kind !== 'share') {
      t.equal((await send({})).statusCode, 303)
      t.notOk(await namesLabels(dashboard, owner), 'not chosen')
    }
    const refused = await send({ labels: 'on', label: 'x'.repeat(256) })
    t.equal(refused.statusCode, 400)
    t.ok(box.exec(refused.body)?.groups?.['checked'], 'a refused form keeps the choice')
    t.notOk(await namesLabels(dashboard, owner), 'and stores nothing')
    t.equal((await send({ labels: 'on' })).statusCode, 303)
    t.ok(await namesLabels(dashboard, owner), kind)
    t.match(dashboard.logLines.join(''), '"event":"mails_changed"')
    const form = await dashboard.get('/secrets/new', { as: owner })
    t.notMatch(form.body, box, 'not offered any more')
    t.notMatch(form.body, 'No mails')
  }
})

t.test('where no mails are sent, nothing is offered, and the forms say so', async (t) => {
  const off = await start(t)
  const { accountId } = off.owner
  expectOk(await off.dashboard.sotto.setMails({ accountId, enabled: false, nameLabels: false }))
  for (const { dashboard, owner, pages } of [off, await start(t, { canMail: false })]) {
    for (const page of [...pages, '/requests/new']) {
      const { body } = await dashboard.get(page, { as: owner })
      t.notMatch(body, box)
      t.match(
        body,
        `${page === '/requests/new' ? '' : 'Your list of secrets marks it as new. '}<a href="/settings/notifications"`,
      )
    }
  }
})

t.test('a choice that cannot be stored does not undo the secret', async (t) => {
  const busy = errAsync({ code: 'storage_unavailable', reason: 'busy' } as const)
  const { dashboard, owner, folder } = await start(t, {
    replace: ({ accounts }) => ({ accounts: { ...accounts, setMails: () => busy } }),
  })
  const sent = { ...fields, folder, action: 'create', labels: 'on' }
  const answer = await dashboard.post('/secrets/new', sent, { as: owner })
  t.match(answer, { statusCode: 303, headers: { location: /^\/secrets\/[0-9a-f-]{36}\?new=1$/ } })
  t.match(dashboard.logLines.join(''), /"level":(?:40|50).*storage_unavailable/)
})
