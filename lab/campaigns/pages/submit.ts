import { checkProblems } from './check.ts'
import { bodyOf, isPassword, validEntries, withFaults, type Filled } from './fill.ts'
import { pathOf, type Entries, type PageForm } from './forms.ts'
import type { Step } from './inputs.ts'
import { checkFiles, keptFiles } from './kept-files.ts'
import { makeOwner, pathsOf } from './owners.ts'
import { areReadable, areTaken, chosenFiles } from './sent-files.ts'
import { ask, count, routeOf, type Read, type Visit } from './visit.ts'

/** Fills in a form, sends it, and checks that it was taken or refused as it should be. */
export async function submit(visit: Visit, step: Step, form: PageForm): Promise<void> {
  const { owner, world, figures } = visit
  const filled = withFaults(form, validEntries(visit, form, step), step.faults)
  const passwords = filled.entries.filter(
    ([name, value]) => isPassword(name) && /passphrase|password/.test(value),
  )
  owner.hidden.push(...passwords.map(([, value]) => value))
  const files = chosenFiles(form, step)
  const stays = keptFiles(visit, form, filled.entries)
  const isTaken = await areTaken(world, owner, files, stays)
  const before = world.stored.all()
  const contents = new Set(world.contents())
  const { headers, body } = bodyOf(step.shape, filled.entries, files)
  const path = pathOf(form, step.button)
  const answer = await ask(visit, { method: 'POST', path, headers, body })
  const isWhole = step.shape === 'form' && step.faults.length === 0
  const isValid = isWhole && isTaken === true
  const kind = step.shape !== 'form' ? 'other body' : isValid ? 'valid' : 'faulty'
  count(figures, `${kind}, ${answer.status}`)
  count(figures, `POST ${routeOf(form.action)}, ${answer.status < 400 ? 'accepted' : 'refused'}`)
  const where = `${form.action} ${step.shape} ${JSON.stringify(filled.entries).slice(0, 300)}: ${answer.status}`
  if (answer.status >= 400 && world.stored.all() !== before) throw new Error(`${where} changed something`)
  if (answer.status >= 400 && !world.contents().every((name) => contents.has(name)))
    throw new Error(`${where} has left a content`)
  if (isTaken === false && answer.status < 400) throw new Error(`${where}, with files that are not taken`)
  // What is ticked in a list has as many fields as the list has rows.
  const isList = step.shape === 'too many fields' && path.startsWith('/secrets/delete')
  if (step.shape !== 'form' && !isList && ![400, 413, 415].includes(answer.status))
    throw new Error(`${where} was taken`)
  // No mail server takes the mail that a change of the address needs.
  const isUnsent = form.action === '/settings/email' && answer.status === 400
  if (isValid && !isUnsent && !expectedOfValid.has(answer.status)) throw new Error(`${where}, a valid form`)
  const isRefused = answer.status === 400 || (answer.status === 413 && isWhole)
  if (isRefused && !isUnsent && step.shape === 'form' && filled.isTyped && areReadable(files))
    checkRefused(where, form, filled, answer)
  await learn(visit, form, filled.entries, answer)
  if (form.takesFiles && answer.status === 303 && files !== undefined)
    await checkFiles(visit, filled.entries, isWhole && stays ? [...stays, ...files] : undefined, answer)
}

/**
 * The statuses of a valid form: done, shown, not possible at present (a folder that is not empty), too many tests or wrong passwords
 * before.
 */
const expectedOfValid = new Set([200, 201, 303, 409, 429])

/** What somebody typed is on the page that refuses it, and the fields at fault are marked. */
function checkRefused(where: string, { action }: PageForm, { entries, faulty }: Filled, answer: Read): void {
  if (answer.page === undefined) throw new Error(`${where} has no page`)
  checkProblems(where, answer.page)
  const again = answer.forms.find((form) => form.action === action)
  if (again === undefined) throw new Error(`${where} does not show the form again`)
  for (const { name, type } of faulty) {
    const typed = entries.find(([each]) => each === name)?.[1] ?? ''
    const shown = again.fields.find((field) => field.name === name)?.value ?? ''
    if (type === 'password') {
      if (shown !== '') throw new Error(`${where} shows a password`)
    } else if (
      !/[\0\r\ud800-\udfff]/.test(typed) &&
      shown.replaceAll('\r\n', '\n') !== typed.replaceAll('\r\n', '\n')
    )
      throw new Error(`${where} shows ${JSON.stringify(shown.slice(0, 100))} at ${name}`)
  }
}

/** What the owner knows after a form was taken. */
export async function learn(
  visit: Visit,
  { action }: PageForm,
  entries: Entries,
  answer: Read,
): Promise<void> {
  const { owner, world } = visit
  const location = String(answer.headers.location)
  const sent = Object.fromEntries(entries)
  if (/done=(?:passwordChanged|invitation)/.test(location)) owner.password = sent['password'] ?? ''
  if (location.includes('done=emailChanged')) owner.email = sent['email'] ?? ''
  if (answer.status === 201) {
    owner.hidden.push(...(answer.body.match(/sotto_[0-9A-Za-z]{46}|whsec_[\w+/=]{32,}/g) ?? []))
  }
  if (action === '/settings/delete' && location.includes('account-deleted')) {
    visit.owner = await makeOwner(world, visit.next())
    visit.paths.splice(0, Infinity, ...pathsOf(visit.owner))
  }
}
