import { expectOk } from '@sotto/test-kit'
import { bodyOf } from './fill.ts'
import { entriesOf, pathOf, type PageForm } from './forms.ts'
import type { Step } from './inputs.ts'
import { ask, count, type Read, type Visit } from './visit.ts'

/** Changes one page in two tabs: no change is lost unless a page says so. */
export async function useTwoTabs(visit: Visit, step: Step): Promise<void> {
  const kinds = [editDraftTwice, renameFolderTwice, chooseMailsTwice]
  await kinds[step.value % kinds.length]?.(visit, step)
}

type Entered = Readonly<Record<string, string | undefined>>

export async function formAt(visit: Visit, path: string, action = path): Promise<PageForm> {
  const { forms, status } = await ask(visit, { method: 'GET', path })
  return named(forms, action, `${path}: ${status}`)
}

export function named(forms: readonly PageForm[], action: string, where: string): PageForm {
  const found = forms.find((form) => form.action === action && form.method === 'post')
  if (found === undefined) throw new Error(`${where} has no form for ${action}`)
  return found
}

async function send(visit: Visit, form: PageForm, entered: Entered, button = 0): Promise<Read> {
  const entries = entriesOf(form, button, new Map(Object.entries(entered)))
  const answer = await ask(visit, {
    method: 'POST',
    path: pathOf(form, button),
    ...bodyOf('form', entries, form.takesFiles ? [] : undefined),
  })
  count(visit.figures, `two tabs, ${answer.status}`)
  return answer
}

/** Sends the form, and once more when the answer is the form with a field for the password. */
async function sendAgain(visit: Visit, form: PageForm, entered: Entered): Promise<Read> {
  const answer = await send(visit, form, entered)
  if (answer.status !== 400) return answer
  return send(visit, named(answer.forms, form.action, form.action), entered)
}

function expectStatus(answer: Read, status: number, what: string): void {
  if (answer.status !== status) throw new Error(`${what}: ${answer.status} instead of ${status}`)
}

async function editDraftTwice(visit: Visit, { button }: Step): Promise<void> {
  const { world, owner, next } = visit
  const { accountId } = owner
  const { id: folderId } = expectOk(await world.sotto.createFolder({ accountId, label: `tabs ${next()}` }))
  const draft = { accountId, folderId, label: 'before', note: 'before' }
  const { id } = expectOk(await world.sotto.saveDraft(draft))
  const [first, second] = [await formAt(visit, `/drafts/${id}`), await formAt(visit, `/drafts/${id}`)]
  expectStatus(await send(visit, first, { label: 'of the first tab', note: 'first' }), 303, 'the first tab')
  const typed = { label: 'of the second tab', note: 'the second text' }
  const before = world.stored.all()
  const refused = await send(visit, second, typed, button % 2)
  expectStatus(refused, 409, 'the second tab')
  if (world.stored.all() !== before) throw new Error('the second tab changed something')
  const again = named(refused.forms, `/drafts/${id}`, 'the second tab')
  for (const [name, value] of Object.entries(typed))
    if (again.fields.find((field) => field.name === name)?.value !== value)
      throw new Error(`the second tab has lost its ${name}`)
  if (!refused.body.includes('role="alert"')) throw new Error('the second tab says nothing')
  expectStatus(await send(visit, again, {}), 303, 'the second tab, once more')
  const { label, note } = expectOk(await world.sotto.getDraft({ accountId, id }))
  if (label !== typed.label || note !== typed.note) throw new Error('what was confirmed is not stored')
}

/** One value that somebody typed over the one that they saw: the later one stays, and its page shows it. */
async function renameFolderTwice(visit: Visit): Promise<void> {
  const { world, owner, next } = visit
  const { accountId } = owner
  const { id } = expectOk(await world.sotto.createFolder({ accountId, label: `tabs ${next()}` }))
  const path = `/folders/${id}`
  const page = `/dashboard?folder=${id}`
  const [first, second] = [await formAt(visit, page, path), await formAt(visit, page, path)]
  expectStatus(await send(visit, first, { label: 'of the first tab' }), 303, 'the first tab')
  expectStatus(await send(visit, second, { label: 'of the second tab' }), 303, 'the second tab')
  const shown = await formAt(visit, page, path)
  if (shown.fields.find(({ name }) => name === 'label')?.value !== 'of the second tab')
    throw new Error('the page does not show the later label')
}

/** One box changed in each tab: both changes stay. */
async function chooseMailsTwice(visit: Visit): Promise<void> {
  const { world, owner } = visit
  const { accountId } = owner
  const page = '/settings/notifications'
  const forms = [await formAt(visit, page, `${page}/mails`), await formAt(visit, page, `${page}/mails`)]
  const { mails: before } = expectOk(await world.sotto.getAccount({ accountId }))
  const [first, second] = forms
  if (first === undefined || second === undefined) return
  const on = (is: boolean): string | undefined => (is ? 'on' : undefined)
  expectStatus(
    await sendAgain(visit, first, { enabled: on(!before.enabled), proof: owner.password }),
    303,
    'the first tab',
  )
  expectStatus(
    await sendAgain(visit, second, { labels: on(!before.nameLabels), proof: owner.password }),
    303,
    'the second tab',
  )
  const { mails } = expectOk(await world.sotto.getAccount({ accountId }))
  if (mails.enabled === before.enabled || mails.nameLabels === before.nameLabels)
    throw new Error('the choice of one tab is lost')
}
