import type { Test } from 'tap'
import { enter, type Stage } from '../support/stage.ts'

/** How an owner asks somebody without an account for a text. */
export async function askForText(t: Test, { site, owner, guest }: Stage): Promise<void> {
  await enter(owner, site)

  await t.test('a stranger answers a request, and its owner reads the answer', async (t) => {
    await owner.follow('Requests')
    await owner.follow('New request')
    await owner.fill('Your name', 'Ada')
    await owner.fill('Title', 'Router')
    await owner.fill('What to send', 'Its password')
    await owner.press('Create request')
    await owner.sees('The request is ready.')
    await guest.goto(await owner.textOf('#link'))
    await guest.sees('Its password')
    await guest.press('Send')
    await guest.sees('Please enter the text.')
    await guest.fill('Your text', 'quiet-otter-42')
    await guest.press('Send')
    await guest.sees('Your answer was received')
    await owner.follow('Requests')
    await owner.follow('Router')
    await owner.sees('quiet-otter-42')
    await owner.click('Copy')
    await owner.sees('Copied')
    t.equal(await owner.pasted(), 'quiet-otter-42')
  })
}
