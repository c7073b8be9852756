import type { Test } from 'tap'
import { enter, type Stage } from '../support/stage.ts'

/** What an owner sees who wants to sign in with a passkey. */
export async function offerPasskeys(t: Test, { site, owner }: Stage): Promise<void> {
  await t.test('a passkey can be added, or the page says why not', async (t) => {
    await enter(owner, site)
    await owner.goto(`${site.origin}/settings/sign-in`)
    const canMake = await owner.evaluate('Boolean(window.PublicKeyCredential)')
    t.comment(`passkeys: ${canMake === true ? 'yes' : 'no'}`)
    if (canMake === true) t.ok(await owner.has('Add a passkey'))
    else await owner.sees('This browser cannot make passkeys.')
  })
}
