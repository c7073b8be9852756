import type { Test } from 'tap'
import { enter, type Stage } from '../support/stage.ts'

/** How the pages change their language. */
export async function chooseLanguages(t: Test, { site, owner, guest }: Stage): Promise<void> {
  await t.test('a recipient and an owner choose their languages', async (t) => {
    await guest.goto((await site.share()).url)
    await guest.follow('العربية')
    t.equal(await guest.evaluate('document.documentElement.dir'), 'rtl')
    await guest.follow('Deutsch')
    await guest.press('Nachricht öffnen')
    t.equal(await guest.textOf('#note'), 'note')
    await enter(owner, site)
    await owner.press('日本語')
    t.equal(await owner.evaluate('document.documentElement.lang'), 'ja')
    await owner.press('English')
    await owner.follow('Settings')
  })
}
