import { expectOk } from '@sotto/test-kit'
import { bodyOf } from './fill.ts'
import { entriesOf, type Entries } from './forms.ts'
import type { Step } from './inputs.ts'
import { formAt, named } from './tabs.ts'
import { ask, count, type Read, type Visit } from './visit.ts'

/** Several are ticked in a list, with what is not the owner's among them. Exactly what was ticked and is the owner's is deleted, once confirmed. */
export async function deleteSeveral(visit: Visit, { value }: Step): Promise<void> {
  const { world, owner, other, figures } = visit
  const { sotto, stored } = world
  const { accountId } = owner
  const { id: folder } = expectOk(await sotto.createFolder({ accountId, label: `several ${visit.next()}` }))
  const text = { accountId, folderId: folder, label: `several ${owner.word}`, note: 'several' }
  const secrets = [expectOk(await sotto.createSecret(text)), expectOk(await sotto.createSecret(text))]
  const draft = expectOk(await sotto.saveDraft(text))
  const [ticked, kept] = value % 2 === 0 ? secrets : secrets.toReversed()
  if (ticked === undefined || kept === undefined) return

  const list = await formAt(visit, `/dashboard?folder=${folder}`, `/secrets/delete?folder=${folder}`)
  const boxes: Entries = [
    ...entriesOf(list, 0, new Map([[ticked.id, 'on']])),
    [`draft-${draft.id}`, 'on'],
    [other.ids.secret, 'on'],
    [`draft-${other.ids.draft}`, 'on'],
  ]
  const before = stored.all()
  const asked = await send(visit, list.action, boxes)
  if (asked.status === 429) return
  if (asked.status !== 200 || stored.all() !== before)
    throw new Error(`deleting several asks: ${asked.status}`)
  const question = named(asked.forms, list.action, 'the question')
  const deleted = await send(visit, list.action, entriesOf(question, 0, new Map()))
  count(figures, `several, ${deleted.status}`)
  if (deleted.status === 429) return
  const to = String(deleted.headers.location)
  if (!to.endsWith('&drafts=1&deleted=1')) throw new Error(`deleting several leads to ${to}`)
  const isThere = async (id: string): Promise<boolean> => (await sotto.viewSecret({ accountId, id })).isOk()
  if ((await isThere(ticked.id)) || !(await isThere(kept.id)))
    throw new Error('others than the ticked are gone')
  if ((await sotto.getDraft({ accountId, id: draft.id })).isOk()) throw new Error('the ticked draft is there')
}

async function send(visit: Visit, path: string, entries: Entries): Promise<Read> {
  return ask(visit, { method: 'POST', path, ...bodyOf('form', entries) })
}
