import { expectOk } from '@sotto/test-kit'
import { bodyOf, isPassword, validEntries } from './fill.ts'
import { entriesOf, pathOf, type PageForm } from './forms.ts'
import type { Step } from './inputs.ts'
import { makeOwner, pathsOf } from './owners.ts'
import { checkFiles, keptFiles } from './kept-files.ts'
import { areTaken, chosenFiles } from './sent-files.ts'
import { learn } from './submit.ts'
import { ask, count, signIn, type Read, type Visit } from './visit.ts'

const ends = ['signed out', 'password changed', 'account disabled', 'expired'] as const

/**
 * A session ends after somebody has got a form and before they send it. Nothing is changed, what they typed is on the page that says so,
 * and it can be sent again once they have signed in.
 */
export async function endSession(visit: Visit, step: Step, form: PageForm | undefined): Promise<void> {
  // Everybody may sign in, sign out and use a one-time link.
  if (form === undefined || /^\/(?:login|logout|invitation)/.test(form.action)) return
  const { owner, world, figures } = visit
  const entries = validEntries(visit, form, step)
  const how = ends[step.value % ends.length] ?? 'expired'
  const session = owner.session ?? ''
  await end(visit, how)
  const before = world.stored.all('with attempts')
  const path = pathOf(form, step.button)
  const files = chosenFiles(form, step)?.slice(0, 1)
  const sent = { method: 'POST', path }
  const answer = await ask(visit, { ...sent, ...bodyOf('form', entries, files) }, { session })
  count(figures, `${how}, ${answer.status}`)
  const where = `${form.action} after a session that is over (${how}): ${answer.status}`
  if (world.stored.all('with attempts') !== before) throw new Error(`${where} changed something`)
  if (answer.status !== 401) throw new Error(where)
  checkKept(where, path, entries, answer)

  owner.session = undefined
  if (how === 'account disabled') {
    visit.owner = await makeOwner(world, visit.next())
    visit.paths.splice(0, Infinity, ...pathsOf(visit.owner))
    return
  }
  await signIn(visit)
  const again = answer.forms.find(({ action }) => action === path)
  if (again === undefined) return
  const kept = entriesOf(again, 0, new Map()).map(([name, value]): (typeof entries)[number] => [
    name,
    name === linkPassword ? passwordIn(entries) : value,
  ])
  if (again.takesFiles !== (files !== undefined && files.length > 0))
    throw new Error(`${where} asks for files: ${again.takesFiles}`)
  const stays = keptFiles(visit, form, entries)
  const isTaken = (await areTaken(world, visit.owner, files, stays)) === true
  const sentAgain = await ask(visit, {
    ...sent,
    ...bodyOf('form', kept, again.takesFiles ? files : undefined),
  })
  const needsPassword = entries.some(([name, value]) => isPassword(name) && value !== '')
  // Some mails cannot be sent, which is said at the field.
  const isMailed = form.action === '/settings/email'
  if (!needsPassword && !isMailed && isTaken && sentAgain.status === 400)
    throw new Error(`${where}, sent again: ${sentAgain.status}`)
  await learn(visit, form, kept, sentAgain)
  if (form.takesFiles && sentAgain.status === 303)
    await checkFiles(visit, kept, stays && [...stays, ...(files ?? [])], sentAgain)
}

const linkPassword = 'password'

function passwordIn(entries: ReturnType<typeof entriesOf>): string {
  return entries.find(([name]) => name === linkPassword)?.[1] ?? ''
}

async function end(visit: Visit, how: (typeof ends)[number]): Promise<void> {
  const { owner, world, next } = visit
  const { sotto, clock } = world
  const { accountId, address, email, password } = owner
  switch (how) {
    case 'signed out':
      await ask(visit, { method: 'POST', path: '/logout' })
      return
    case 'password changed': {
      const other = expectOk(await sotto.signIn({ email, password, address }))
      owner.password = `a newer passphrase, the ${next()}.`
      const changed = { accountId, sessionId: other.id, password: owner.password }
      expectOk(await sotto.changePassword(changed))
      return
    }
    case 'account disabled':
      expectOk(await sotto.disableAccount({ accountId }))
      return
    case 'expired':
      clock.advance(12 * 3_600 * 1_000_000)
  }
}

function checkKept(where: string, path: string, entries: ReturnType<typeof entriesOf>, answer: Read): void {
  const typed = entries.filter(([name]) => !isPassword(name))
  // An empty field for the password of a link, which has to be entered again.
  if (passwordIn(entries) !== '') typed.push([linkPassword, ''])
  const again = answer.forms.find(({ action }) => action === path)
  const kept = again === undefined ? [] : entriesOf(again, 0, new Map())
  if (answer.status === 401 && JSON.stringify(kept) !== JSON.stringify(typed))
    throw new Error(`${where} keeps ${JSON.stringify(kept)} of ${JSON.stringify(typed)}`)
}
