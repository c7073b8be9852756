import type { Account, Folder, ShareableSecret } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import type { BrowserContext } from 'playwright-core'
import type { Site } from './site.ts'

export const ownerPassword = 'lantern cedar marble onion'

/** Somebody with an account of his own. */
export interface Owner {
  readonly account: Account
  readonly email: string
  /** Signs a browser in, as if the owner had done it at the site's present time. */
  signIn(context: BrowserContext): Promise<void>
  folder(label: string): Promise<Folder>
  share(
    folder: Folder,
    fields?: Partial<Parameters<Site['sotto']['createSecret']>[0]>,
  ): Promise<ShareableSecret>
}

let owners = 0

/** Invites an owner, who has not chosen a password yet. @returns the one-time link */
export async function invite(site: Site): Promise<{ readonly email: string; readonly url: string }> {
  owners += 1
  const email = `ada${String(owners)}@example.org`
  const { token } = expectOk(await site.sotto.inviteAccount({ email }))
  return { email, url: `${site.origin}/welcome/${token}` }
}

/** An owner who has chosen his password. */
export async function newOwner(site: Site): Promise<Owner> {
  const { sotto, origin } = site
  const { email, url } = await invite(site)
  const token = url.slice(url.lastIndexOf('/') + 1)
  const address = '127.0.0.1'
  const chosen = expectOk(await sotto.choosePassword({ token, password: ownerPassword, address }))
  const accountId = chosen.accountId
  return {
    account: expectOk(await sotto.getAccount({ accountId })),
    email,
    async signIn(context) {
      const session = expectOk(await sotto.signIn({ email, password: ownerPassword, address }))
      await context.addCookies([{ name: 'sotto', value: session.token, url: origin }])
    },
    folder: async (label) => expectOk(await sotto.createFolder({ accountId, label })),
    async share({ id: folderId }, fields) {
      const input = { accountId, folderId, label: 'Label', note: 'note', ...fields }
      return expectOk(await sotto.createSecret(input))
    },
  }
}
