import type { Test } from 'tap'
import { invite, ownerPassword } from '../../support/owner.ts'
import type { Visitor } from '../support/visitor.ts'
import type { Stage } from '../support/stage.ts'

/** From the invitation to signing out. */
export async function ownerStory(t: Test, { site, owner, guest }: Stage): Promise<void> {
  const { email, url } = await invite(site)

  await t.test('the invited owner chooses a password, and makes a folder', async (t) => {
    await owner.goto(url)
    await owner.fill('Password', ownerPassword)
    await owner.press('Save password and sign in')
    t.equal(await owner.textOf('h1'), 'Secrets')
    await owner.click('+ New folder')
    await owner.fill('Title', 'Customers')
    await owner.press('Create')
    t.equal(await said(owner), 'The folder is ready.')
  })

  await t.test('a recipient opens the first secret, and the owner sees it', async (t) => {
    await newSecret(owner, { label: 'Mail server', password: 'otter' })
    await guest.goto(await owner.textOf('#link'))
    await guest.fill('Password', 'wrong')
    await guest.press('Open the message')
    await guest.sees('That password is not right.')
    await guest.fill('Password', 'otter')
    await guest.press('Open the message')
    t.equal(await guest.textOf('#note'), 'the note')
    await owner.sees('Not opened')
    await owner.reload()
    await owner.sees('2 of 3 left')
  })

  await t.test('a deleted secret is gone from the list, and its link is dead', async (t) => {
    await newSecret(owner, { label: 'By mistake' })
    const link = await owner.textOf('#link')
    await owner.press('Delete')
    t.equal(await owner.textOf('h1'), 'Delete this secret?')
    await owner.press('Delete')
    t.equal(await said(owner), 'The secret is deleted.')
    t.same(
      await owner.evaluate(
        `[...document.querySelectorAll('.items a')].map(({ textContent }) => textContent)`,
      ),
      ['Mail server'],
    )
    await guest.goto(link)
    await guest.sees('There is no message to open here')
  })

  await t.test('an access token works until it is deleted', async (t) => {
    await owner.follow('Settings')
    await owner.follow('Access tokens')
    await owner.fill('Name', 'A program')
    await owner.press('New token')
    const authorization = `Bearer ${await owner.textOf('#token')}`
    const folders = () => fetch(`${site.origin}/api/folders`, { headers: { authorization } })
    t.match(await (await folders()).text(), 'Customers')
    await owner.follow('Done')
    await owner.press('Delete')
    await owner.press('Delete')
    t.equal(await said(owner), 'The access token is deleted.')
    t.equal((await folders()).status, 401)
  })

  await t.test('the other session ends, this one goes on', async (t) => {
    await guest.goto(site.origin)
    await guest.fill('Email', email)
    await guest.fill('Password', `${ownerPassword}!`)
    await guest.press('Sign in')
    t.equal(await guest.textOf('h1'), 'Sign in')
    await guest.fill('Password', ownerPassword)
    await guest.press('Sign in')
    t.equal(await guest.textOf('h1'), 'Secrets')
    await owner.follow('Sessions')
    await owner.press('End session', 'Other session')
    await owner.sees('The session is ended.')
    await guest.reload()
    t.equal(await guest.textOf('h1'), 'Sign in')
  })

  await t.test('after signing out, going back shows nothing', async (t) => {
    await owner.follow('Secrets')
    await owner.sees('Mail server')
    await owner.press('Sign out')
    t.equal(await said(owner), 'You are signed out.')
    await owner.back()
    // A page that the browser kept is hidden, and asked for again.
    await owner.sees('Sign in')
    t.equal(await owner.textOf('h1'), 'Sign in')
    t.notMatch(await owner.textOf('body'), 'Mail server')
  })
}

const said = (visitor: Visitor): Promise<string> => visitor.textOf('.banner')

async function newSecret(
  owner: Visitor,
  { label, password = '' }: { readonly label: string; readonly password?: string },
): Promise<void> {
  await owner.follow('New secret')
  await owner.select('Folder', 'Customers')
  await owner.fill('Title (optional)', label)
  await owner.fill('Text', 'the note')
  await owner.click('3 times')
  await owner.click('1 day')
  if (password !== '') await owner.fill('Password (optional)', password)
  await owner.click('Tell me when it is opened')
  await owner.press('Create link')
  await owner.sees(label)
}
