import type { Test } from 'tap'
import { canary, shareSealed } from '../../support/sealed.ts'
import type { Stage } from '../support/stage.ts'

/** How a recipient opens what the sender's browser encrypted. */
export async function openSealed(t: Test, { site, guest }: Stage): Promise<void> {
  await t.test(
    'a cut link says so, the whole one opens with its password, and a file is saved',
    async (t) => {
      const bytes = new Uint8Array(200_000).fill(7)
      const sealed = { password: 'geheïm', openLimit: 1, files: [{ name: 'plan.bin', bytes }] }
      const { url, key, secret } = await shareSealed(site, sealed)
      await guest.goto(url)
      await guest.sees('This link is incomplete. The part after # is missing.')
      t.notOk(await guest.has('Open the message'))
      await guest.evaluate(`location.hash = '#${key}'`)
      await guest.sees('This server cannot read it.')
      await guest.fill('Password', 'wrong')
      await guest.press('Open the message')
      await guest.sees('That password is not right.')
      t.equal(site.opens(secret), 0)
      await guest.fill('Password', 'geheïm')
      await guest.press('Open the message')
      await guest.sees(canary)
      t.equal(site.opens(secret), 1)
      t.equal(await guest.evaluate('location.hash'), '')
      t.ok((await guest.save('Save plan.bin', 'plan.bin')).equals(bytes))
    },
  )
}
