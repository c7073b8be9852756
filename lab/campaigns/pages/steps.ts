import { bodyOf, validEntries } from './fill.ts'
import { pathOf, type Entries, type PageForm } from './forms.ts'
import type { Step } from './inputs.ts'
import { endSession } from './over.ts'
import { thingPathsOf } from './owners.ts'
import { chosenFiles } from './sent-files.ts'
import { deleteSeveral } from './several.ts'
import { submit } from './submit.ts'
import { useTwoTabs } from './tabs.ts'
import { ask, count, signIn, type Visit } from './visit.ts'

/** Does one step, and checks what came of it. Throws when something is not as promised. */
export async function doStep(visit: Visit, step: Step): Promise<void> {
  const { owner, other, world } = visit
  const others = world.stored.of(other.accountId)
  if (owner.session === undefined) await signIn(visit)
  await actions[step.kind](visit, step)
  if (world.stored.of(other.accountId) !== others) throw new Error('another account was changed')
}

const actions: Readonly<Record<Step['kind'], (visit: Visit, step: Step) => Promise<void>>> = {
  form: submitSome,
  files: submitFiles,
  foreign: submitFromElsewhere,
  over: async (visit, step) => endSession(visit, step, await someForm(visit, step)),
  tabs: useTwoTabs,
  several: deleteSeveral,
  stranger: askForOthersThing,
  wander,
  read: async (visit, { page }) => {
    await ask(visit, { method: 'GET', path: pathAt(visit, page) })
  },
  // Forms ask for the password again after ten minutes.
  later: ({ world }, { value }) => {
    world.clock.advance((1 + (value % 20)) * 60_000_000)
    return Promise.resolve()
  },
}

function pathAt({ paths }: Visit, nr: number): string {
  return paths[nr % paths.length] ?? '/dashboard'
}

/** A form that posts, of one of the pages; `undefined` when that page has none. */
async function someForm(visit: Visit, { page, form }: Step): Promise<PageForm | undefined> {
  const { forms } = await ask(visit, { method: 'GET', path: pathAt(visit, page) })
  const posting = forms.filter(({ method }) => method === 'post')
  // The first one signs out, on every page: one in ten is enough.
  const others = posting.filter(({ action }) => action !== '/logout')
  const chosen = form % 10 === 0 || others.length === 0 ? posting : others
  return chosen[form % chosen.length]
}

async function submitSome(visit: Visit, step: Step): Promise<void> {
  const form = await someForm(visit, step)
  if (form !== undefined) await submit(visit, step, form)
}

/** Everything but the files is as it should be. */
async function submitFiles(visit: Visit, step: Step): Promise<void> {
  const path = step.form % 3 === 0 ? `/drafts/${visit.owner.ids.draft}` : '/secrets/new'
  const { forms } = await ask(visit, { method: 'GET', path })
  const form = forms.find(({ action }) => action === path)
  if (form !== undefined) await submit(visit, { ...step, shape: 'form', faults: [] }, form)
}

/** Whatever it says, a form from another site is refused before anything is read, counted or changed. */
async function submitFromElsewhere(visit: Visit, step: Step): Promise<void> {
  const { world, figures } = visit
  const form = await someForm(visit, step)
  if (form === undefined) return
  const { headers, body } = bodyOf('form', validEntries(visit, form, step), chosenFiles(form, step))
  const own = Object.entries(step.origin).map(([name, value]) => [name, value.replace(/^own/, world.origin)])
  const before = world.stored.all('with attempts')
  const foreign = { ...headers, ...(Object.fromEntries(own) as Record<string, string>) }
  const answer = await ask(visit, {
    method: 'POST',
    path: pathOf(form, step.button),
    headers: foreign,
    body,
  })
  count(figures, `foreign, ${answer.status}`)
  const where = `${form.action} with ${JSON.stringify(step.origin)}: ${answer.status}`
  if (answer.status !== 403) throw new Error(`${where}, from another site`)
  if (answer.headers['set-cookie'] !== undefined) throw new Error(`${where} sets a cookie`)
  if (world.stored.all('with attempts') !== before) throw new Error(`${where} changed something`)
}

/** A thing of another account looks like one that does not exist. */
async function askForOthersThing(visit: Visit, step: Step): Promise<void> {
  const { world, other, figures } = visit
  const paths = thingPathsOf(other)
  const [path, methods] = paths[step.page % paths.length] ?? ['', []]
  const method = methods[step.form % methods.length] ?? 'GET'
  const fields: Entries = [
    ['label', 'a label'],
    ['name', 'a name'],
    ['action', 'save'],
    ['password', other.draftPassword],
  ]
  const needed = fields.filter(([name]) => fieldsAt(path).includes(name))
  const sent = method === 'GET' ? {} : bodyOf('form', needed)
  const before = world.stored.all()
  const answer = await ask(visit, { method, path, ...sent })
  const unknown = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '01920000-0000-7000-8000-000000000000')
  const expected = await ask(visit, { method, path: unknown, ...sent })
  count(figures, `others' things, ${answer.status}`)
  const isTooMany = answer.status === 429 || expected.status === 429
  if (!isTooMany && (answer.status !== 404 || answer.body !== expected.body || expected.status !== 404))
    throw new Error(`${method} ${path}: ${answer.status}, of an unknown one ${expected.status}`)
  if (world.stored.all() !== before) throw new Error(`${method} ${path} changed something`)
}

function fieldsAt(path: string): readonly string[] {
  if (/^\/folders\/[^/]+$/.test(path)) return ['label']
  if (path.endsWith('/note')) return ['password']
  if (path.endsWith('/name')) return ['name']
  return /^\/drafts\/[^/]+$/.test(path) ? ['label', 'action'] : []
}

/** Addresses that no page has: they show something, or nothing, but change nothing. */
async function wander(visit: Visit, { page, form, value, text, button }: Step): Promise<void> {
  const { world, figures } = visit
  const typed = text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
  const path = pathAt(visit, page)
  const [start = ''] = path.split('?')
  const names = ['done', 'after', 'folder', 'new', 'next', 'lang', 'signed-out', '__proto__']
  const places = [
    `${start}?${names[form % names.length] ?? ''}=${typed}`,
    start.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, typed.replaceAll('%2F', '')),
    `${start}/${typed}`,
    `/welcome/${typed}`,
  ]
  const methods = ['GET', 'GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']
  const before = world.stored.all()
  const method = methods[value % methods.length] ?? 'GET'
  const { status } = await ask(visit, { method, path: places[button % places.length] ?? '/' })
  count(figures, `wandering, ${status}`)
  if (world.stored.all() !== before) throw new Error(`${method} ${places[button] ?? ''} changed something`)
}
