import type { Test } from 'tap'
import { enter, type Stage } from '../support/stage.ts'

/** Browsers and clipboards may change such a text. */
const note = '  Network:\tLindenhof – “Gäste”\n\nمرحبا hello 😀\n<b>&amp;</b>\n'

/** How texts are shared, copied and opened, with scripts. */
export async function shareTexts(t: Test, { site, owner, guest }: Stage): Promise<void> {
  await enter(owner, site)

  await t.test('a password is suggested, and what is copied is what was sent', async (t) => {
    await owner.follow('New secret')
    await owner.fill('Text', 'the note')
    await owner.click('3 times')
    await owner.click('Suggest')
    const password = await owner.valueOf('Password (optional)')
    if (await owner.has('Copy')) await owner.click('Copy')
    await owner.sees('Copied')
    t.equal(await owner.pasted(), password)
    await owner.press('Create link')
    await owner.sees('Your secret is ready.')
    await owner.click('Copy link')
    await owner.sees('Copied')
    const link = await owner.pasted()
    t.equal(link, await owner.textOf('#link'))

    await owner.follow('Secrets')
    await owner.click('Copy link')
    await owner.sees('Copied')
    t.equal(await owner.pasted(), link, 'the same from the list')

    await guest.goto(link)
    await guest.fill('Password', password)
    await guest.press('Open the message')
    t.equal(await guest.textOf('#note'), 'the note')
  })

  await t.test('a text is copied and saved as it was sent, and opens as often as allowed', async (t) => {
    const { secret, url } = await site.share({ label: 'Wi-Fi', note, openLimit: 2 })
    await guest.goto(url)
    t.equal(site.opens(secret), 0)
    await guest.press('Open the message')
    t.equal(await guest.textOf('#note'), note)
    await guest.click('Copy')
    await guest.sees('Copied')
    t.equal(await guest.pasted(), note)
    t.equal(String(await guest.save('Save as a file', 'Wi-Fi.txt')), note)
    await guest.goto(url)
    await guest.press('Open the message')
    await guest.sees('It is now deleted here.')
    t.equal(site.opens(secret), 2)
    await guest.goto(url)
    await guest.sees('There is no message to open here')
  })

  await t.test('where scripts have no clipboard, the browser copies', async (t) => {
    await guest.goto((await site.share({ note })).url)
    await guest.press('Open the message')
    await guest.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined }) && 0`)
    await guest.click('Copy')
    await guest.sees('Copied')
    t.equal(await guest.pasted(), note)
  })

  await t.test('where nothing can be copied, the text is selected and the page says so', async (t) => {
    await guest.goto((await site.share({ note: 'the note' })).url)
    await guest.press('Open the message')
    await guest.evaluate(refusing)
    await guest.click('Copy')
    await guest.sees('Copying did not work.')
    t.equal(await guest.evaluate('String(getSelection())'), 'the note')

    await owner.follow('Secrets')
    await owner.evaluate(refusing)
    await owner.click('Copy link')
    await owner.sees('It could not be copied')
    t.match(await owner.evaluate('String(getSelection())'), site.origin)
  })
}

const refusing = `navigator.clipboard.writeText = () => Promise.reject(new Error()), document.execCommand = () => false, 0`
