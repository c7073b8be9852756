import type { Upload, Uuid } from '@sotto/core'
import { createSoftPasskey, expectErr, expectOk } from '@sotto/test-kit'
import type { Page } from 'playwright-core'
import { arrive, awaitFocus } from './browser.ts'
import { chosenFiles, uploadFiles } from './files.ts'
import { invite, newOwner, ownerPassword, type Owner } from './owner.ts'
import type { Site } from './site.ts'

/** Brings a page into one of the states that an owner may see. */
export type ReachOwnerState = (page: Page, site: Site) => Promise<void>

const minuteMicros = 60 * 1_000_000
const tooLong = 'x'.repeat(300)
const note =
  'Network:   Lindenhof-Guests\nPassword:  quiet-otter-42\n\nThe router stands behind the shelf in the hall.'

/** Every state by its name. Works without scripts in the page. */
export const ownerStates = {
  'sign-in': (page, site) => visit(page, site, '/login'),
  'sign-in-wrong': async (page, site) => {
    await visit(page, site, '/login')
    await page.fill('#email', 'ada@example.org')
    await page.fill('#password', 'wrong')
    await press(page, 'main form [type=submit]')
  },
  'signed-out': (page, site) => visit(page, site, '/login?signed-out=1'),
  'sign-in-first': (page, site) => visit(page, site, '/settings'),
  invitation: async (page, site) => {
    await page.goto((await invite(site)).url)
  },
  'invitation-refused': async (page, site) => {
    const { email, url } = await invite(site)
    await page.goto(url)
    await page.fill('#password', withNameOf(email))
    await press(page, 'main form [type=submit]')
  },
  'invitation-removes-webhooks': async (page, site) => {
    const owner = await newOwner(site)
    await addWebhooks(site, owner, addresses)
    const { token } = expectOk(await site.sotto.resetAccount({ email: owner.email }))
    await visit(page, site, `/welcome/${token}`)
  },
  'invitation-gone': (page, site) => visit(page, site, `/welcome/${'A'.repeat(43)}`),

  'dashboard-first': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/dashboard?done=invitation')
  },
  'dashboard-no-secrets': async (page, site) => {
    const owner = await enter(page, site)
    const { id } = await owner.folder('Lindenhof guest house')
    await visit(page, site, `/dashboard?folder=${id}&done=folderCreated`)
  },
  dashboard: async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/dashboard')
  },
  'dashboard-rail': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/dashboard')
    await openNewFolder(page)
  },
  'dashboard-folder': async (page, site) => {
    const owner = await enter(page, site)
    const { house } = await furnish(site, owner)
    await visit(page, site, `/dashboard?folder=${house.id}`)
  },
  'dashboard-full': async (page, site) => {
    const owner = await enter(page, site)
    for (let at = 0; at < 20; at += 1) await owner.folder(`Customer number ${String(at)}`)
    const folder = await owner.folder('Contracts and invoices')
    for (let at = 0; at < 41; at += 1) {
      await owner.share(folder, {
        label: `Account of the database at customer ${String(at)}`,
        password: 'p',
        openLimit: 3,
      })
    }
    await visit(page, site, '/dashboard')
  },
  'dashboard-finished': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/dashboard?status=finished&removed=3')
  },
  'remove-finished': async (page, site) => {
    const owner = await enter(page, site)
    const { house } = await furnish(site, owner)
    await visit(page, site, `/secrets/finished?folder=${house.id}`)
  },
  'delete-selected': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/dashboard')
    await page.getByRole('checkbox', { name: 'Access to the mail server' }).check()
    await page.getByRole('checkbox', { name: 'Code of the front door' }).check()
    await press(page, 'form[action^="/secrets/delete"] .danger')
  },
  'nothing-selected': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/dashboard?done=noneSelected')
  },
  search: async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/search')
  },
  'search-found': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await search(page, site, 'the')
  },
  'search-nothing': async (page, site) => {
    await enter(page, site)
    await search(page, site, 'Wi-Fi')
  },
  'search-refused': async (page, site) => {
    await enter(page, site)
    await search(page, site, tooLong)
  },
  'search-stopped': async (page, site) => {
    const owner = await enter(page, site)
    const folder = await owner.folder('Lindenhof guest house')
    for (let at = 0; at < 41; at += 1) await owner.share(folder, { label: `Key ${String(at)} of the house` })
    await search(page, site, 'key')
  },
  'new-folder-refused': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/dashboard')
    await openNewFolder(page)
    await page.fill('#label', tooLong)
    await press(page, '.rail form [type=submit]')
  },

  'new-secret': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/secrets/new')
  },
  'new-secret-refused': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/secrets/new')
    await page.fill('#label', tooLong)
    await page.fill('#note', note)
    await page.fill('input[name=password]', 'otter')
    await press(page, '.send button')
  },
  'new-secret-empty': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/secrets/new')
    await press(page, '.send button')
  },
  'new-secret-files': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/secrets/new')
    await page.setInputFiles('#files', chosenFiles)
  },
  'secret-files': async (page, site) => {
    const owner = await enter(page, site)
    const folder = await owner.folder('Lindenhof guest house')
    const upload = await uploadFiles(site.sotto, owner.account.id)
    const input = { accountId: owner.account.id, folderId: folder.id, label: 'Contract', note, upload }
    const { id } = expectOk(await site.sotto.createSecret(input))
    await visit(page, site, `/secrets/${id}`)
  },
  'session-over': async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/secrets/new')
    await page.fill('#label', 'Wi-Fi')
    await page.fill('#note', note)
    await page.fill('input[name=password]', 'otter')
    await page.context().clearCookies()
    await press(page, '.send button')
  },

  'secret-new': async (page, site) => {
    const owner = await enter(page, site)
    const secret = await owner.share(await owner.folder('Lindenhof guest house'), {
      label: 'Wi-Fi for the guest room',
      openLimit: 3,
      password: 'p',
    })
    await visit(page, site, `/secrets/${secret.id}?new=1`)
  },
  'secret-opened': async (page, site) => {
    const owner = await enter(page, site)
    const { opened } = await furnish(site, owner)
    await visit(page, site, `/secrets/${opened.id}`)
  },
  'secret-used-up': async (page, site) => {
    const owner = await enter(page, site)
    const { usedUp } = await furnish(site, owner)
    await visit(page, site, `/secrets/${usedUp.id}`)
  },
  'secret-locked': async (page, site) => {
    const owner = await enter(page, site)
    const { locked } = await furnish(site, owner)
    await visit(page, site, `/secrets/${locked.id}`)
  },
  destroy: async (page, site) => {
    const owner = await enter(page, site)
    const { opened } = await furnish(site, owner)
    await visit(page, site, `/secrets/${opened.id}/destroy`)
  },

  draft: async (page, site) => {
    const owner = await enter(page, site)
    await visit(page, site, `/drafts/${await draft(site, owner)}?done=draftSaved`)
  },
  'draft-hidden': async (page, site) => {
    const owner = await enter(page, site)
    await visit(page, site, `/drafts/${await draft(site, owner, 'otter')}`)
  },
  'draft-wrong-password': async (page, site) => {
    const owner = await enter(page, site)
    await visit(page, site, `/drafts/${await draft(site, owner, 'otter')}`)
    await page.fill('#password', 'wrong')
    await press(page, 'form[action$="/note"] button:not([type=button])')
  },
  'draft-refused': async (page, site) => {
    const owner = await enter(page, site)
    await visit(page, site, `/drafts/${await draft(site, owner, 'otter')}`)
    await page.fill('#password', 'otter')
    await press(page, 'form[action$="/note"] button:not([type=button])')
    await page.fill('#label', tooLong)
    await press(page, '.send button')
  },
  'draft-files': async (page, site) => {
    const owner = await enter(page, site)
    await visit(page, site, `/drafts/${await draftWithFiles(site, owner)}`)
    await page.check('[name=remove-1]')
  },
  'draft-files-refused': async (page, site) => {
    const owner = await enter(page, site)
    await visit(page, site, `/drafts/${await draftWithFiles(site, owner)}`)
    await page.fill('#label', tooLong)
    await press(page, '.send button')
  },
  'draft-files-hidden': async (page, site) => {
    const owner = await enter(page, site)
    await visit(page, site, `/drafts/${await draftWithFiles(site, owner, 'otter')}`)
  },

  drafts: async (page, site) => {
    const owner = await enter(page, site)
    await furnish(site, owner)
    await visit(page, site, '/drafts')
  },
  'drafts-none': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/drafts')
  },
  'folder-renamed': async (page, site) => {
    const owner = await enter(page, site)
    const { house } = await furnish(site, owner)
    await visit(page, site, `/dashboard?folder=${house.id}&done=folderRenamed`)
    await page.click('.part summary')
  },
  'folder-refused': async (page, site) => {
    const owner = await enter(page, site)
    const { house } = await furnish(site, owner)
    await visit(page, site, `/dashboard?folder=${house.id}`)
    await page.click('.part summary')
    await page.fill(`#label-${house.id}`, tooLong)
    await press(page, '.part form[method=post] [type=submit]')
  },
  'folder-delete': async (page, site) => {
    const owner = await enter(page, site)
    const { house } = await furnish(site, owner)
    await visit(page, site, `/folders/${house.id}/delete`)
  },
  'folder-delete-more': async (page, site) => {
    const owner = await enter(page, site)
    const { house } = await furnish(site, owner)
    await visit(page, site, `/folders/${house.id}/delete`)
    await owner.share(house, { label: 'Code of the gate' })
    await press(page, 'main form [type=submit]')
  },

  settings: async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/settings')
  },
  'settings-proof': async (page, site) => {
    await enter(page, site)
    site.clock.advance(11 * minuteMicros)
    await visit(page, site, '/settings')
  },
  'settings-refused': async (page, site) => {
    const { email } = await enter(page, site)
    await visit(page, site, '/settings/sign-in')
    await page.fill('#password', withNameOf(email))
    await press(page, 'form[action="/settings/password"] [type=submit]')
  },
  'tokens-none': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/settings/tokens')
  },
  tokens: async (page, site) => {
    const owner = await enter(page, site)
    for (const name of ['The backup of the office', 'deploy.sh']) {
      const scopes = name === 'deploy.sh' ? ['read'] : ['read', 'write']
      const input = { accountId: owner.account.id, name, scopes, expiresInSeconds: 90 * 86_400 }
      expectOk(await site.sotto.createAccessToken(input))
    }
    await visit(page, site, '/settings/tokens?done=tokenRevoked')
  },
  'tokens-refused': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/settings/tokens')
    await page.fill('#name', tooLong)
    await page.uncheck('#read')
    await page.uncheck('#write')
    await press(page, 'form[action="/settings/tokens"] [type=submit]')
  },
  'new-token': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/settings/tokens')
    await page.fill('#name', 'The backup of the office')
    await press(page, 'form[action="/settings/tokens"] [type=submit]')
  },
  sessions: async (page, site) => {
    const owner = await enter(page, site)
    await owner.signIn(page.context())
    await visit(page, site, '/settings/sessions')
    await page.click('summary >> nth=0')
    await page.fill('[name=name] >> nth=0', 'The laptop in the office')
    await press(page, 'form[action$="/name"] [type=submit] >> nth=0')
  },
  'sessions-refused': async (page, site) => {
    const owner = await enter(page, site)
    await owner.signIn(page.context())
    await visit(page, site, '/settings/sessions')
    await page.click('summary >> nth=1')
    await page.fill('[name=name] >> nth=1', tooLong)
    await press(page, 'form[action$="/name"] [type=submit] >> nth=1')
  },
  'requests-first': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/requests')
  },
  requests: async (page, site) => {
    const owner = await enter(page, site)
    await ask(site, owner, { answersAllowed: 3 })
    await ask(site, owner, { title: tooLong.slice(0, 255) })
    await visit(page, site, '/requests')
  },
  'new-request': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/requests/new')
    await page.fill('#answers', '101')
    await press(page, 'form[action="/requests/new"] [type=submit]')
  },
  request: async (page, site) => {
    const owner = await enter(page, site)
    const { id } = await ask(site, owner, { answersAllowed: 3 })
    await visit(page, site, `/requests/${id}?new=1`)
  },
  'request-closed': async (page, site) => {
    const owner = await enter(page, site)
    const { id } = await ask(site, owner, {})
    await visit(page, site, `/requests/${id}`)
    await press(page, 'form[action$="/close"] [type=submit]')
  },
  'passkeys-first': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/settings/sign-in')
  },
  passkeys: async (page, site) => {
    const owner = await enter(page, site)
    const names = ['My phone', tooLong.slice(0, 255)]
    await Promise.all(names.map((name) => addPasskey(site, owner, { name })))
    await addPasskey(site, owner, {
      name: 'Key',
      rpId: 'a-rather-long-host-name.of-the-old-domain.example.org',
    })
    await visit(page, site, '/settings/sign-in?done=passkeyAdded')
  },
  'passkey-delete': async (page, site) => {
    const owner = await enter(page, site)
    await addPasskey(site, owner, { name: 'My phone' })
    site.clock.advance(11 * minuteMicros)
    await visit(page, site, '/settings/sign-in')
    await press(page, 'form[action$="/delete"] [type=submit]')
  },
  'notifications-first': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/settings/notifications')
  },
  notifications: async (page, site) => {
    const owner = await enter(page, site)
    await addWebhooks(site, owner, addresses.slice(0, 3))
    await visit(page, site, '/settings/notifications?done=mailsSaved')
  },
  'notifications-full': async (page, site) => {
    const owner = await enter(page, site)
    await addWebhooks(site, owner, addresses)
    await visit(page, site, '/settings/notifications')
  },
  'webhook-test-failed': async (page, site) => {
    const owner = await enter(page, site)
    const ids = await addWebhooks(site, owner, addresses.slice(0, 1))
    site.failSending('connection refused')
    await visit(page, site, '/settings/notifications')
    await press(page, `form[action$="${String(ids[0])}/test"] button`)
    site.failSending(undefined)
  },
  'webhook-refused': async (page, site) => {
    await enter(page, site)
    site.clock.advance(11 * minuteMicros)
    await visit(page, site, '/settings/notifications')
    await page.fill('#url', 'https://127.0.0.1/hook')
    await page.fill('#proof', ownerPassword)
    await press(page, 'form[action="/settings/notifications/webhooks"] [type=submit]')
  },
  'new-webhook': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/settings/notifications')
    await page.fill('#url', 'https://chat.example.org/hooks/secrets')
    await press(page, 'form[action="/settings/notifications/webhooks"] [type=submit]')
  },
  'delete-webhook': async (page, site) => {
    const owner = await enter(page, site)
    const ids = await addWebhooks(site, owner, addresses)
    await visit(page, site, `/settings/notifications/webhooks/${String(ids[1])}/delete`)
  },
  'mails-refused': async (page, site) => {
    await enter(page, site)
    site.clock.advance(11 * minuteMicros)
    await visit(page, site, '/settings/notifications')
    await page.uncheck('[name=enabled]')
    await press(page, 'form[action="/settings/notifications/mails"] [type=submit]')
  },
  help: async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/help')
  },
  download: async (page, site) => {
    await enter(page, site)
    site.clock.advance(11 * minuteMicros)
    await visit(page, site, '/settings/download')
  },
  'delete-account': async (page, site) => {
    await enter(page, site)
    site.clock.advance(11 * minuteMicros)
    await visit(page, site, '/settings/delete')
  },
  'not-found': async (page, site) => {
    await enter(page, site)
    await visit(page, site, '/secrets/00000000-0000-4000-8000-000000000000')
  },
} as const satisfies Record<string, ReachOwnerState>

export type OwnerStateName = keyof typeof ownerStates
export const ownerStateNames = Object.keys(ownerStates) as readonly OwnerStateName[]

/** Those in which a box of the page sticks to an edge of the window, or does once a secret is selected. */
export const statesWithStuckBox: readonly OwnerStateName[] = [
  ...(['dashboard', 'dashboard-full', 'nothing-selected', 'search-found', 'drafts'] as const),
  ...(['new-secret', 'new-secret-refused', 'new-secret-empty', 'new-secret-files'] as const),
  ...(['session-over', 'draft', 'draft-hidden', 'draft-wrong-password', 'draft-refused'] as const),
  ...(['draft-files', 'draft-files-refused', 'draft-files-hidden', 'new-request'] as const),
]

/** A password that is refused, because it holds the local part of the email. */
function withNameOf(email: string): string {
  return `${email.slice(0, email.indexOf('@'))} and many more words`
}

/** Opens the form for a new folder, which the rail has. */
export async function openNewFolder(page: Page): Promise<void> {
  const narrow = page.locator('.switch summary')
  if (await narrow.isVisible()) await narrow.click()
  await page.click('.folders ~ details > summary')
}

/** Presses a button and waits for the page that answers. */
export async function press(page: Page, button: string): Promise<void> {
  await arrive(page, () => page.locator(button).first().click())
}

/** Searches from the page of the search. */
async function search(page: Page, site: Site, words: string): Promise<void> {
  await visit(page, site, '/search')
  await page.fill('#words', words)
  await press(page, '.search button')
}

async function visit(page: Page, { origin }: Site, path: string): Promise<void> {
  await page.goto(`${origin}${path}`)
  await awaitFocus(page)
}

/** Signs the page in as an owner who has nothing yet. */
async function enter(page: Page, site: Site): Promise<Owner> {
  const owner = await newOwner(site)
  await owner.signIn(page.context())
  return owner
}

/** A request of the owner. */
async function ask(site: Site, owner: Owner, fields: Readonly<Partial<NewRequest>>) {
  const folder = await owner.folder('Lindenhof guest house')
  const asked = { title: 'Password of your router', text: 'It is on the back.\nAnd the name of the network.' }
  const accountId = owner.account.id
  return expectOk(await site.sotto.createRequest({ accountId, folderId: folder.id, ...asked, ...fields }))
}

type NewRequest = Parameters<Site['sotto']['createRequest']>[0]

/** Folders with secrets in every state. */
async function furnish(site: Site, owner: Owner) {
  const house = await owner.folder('Lindenhof guest house')
  const customers = await owner.folder('Customers')
  await draft(site, owner, undefined, house.id)
  const usedUp = await owner.share(house, { label: 'Code of the front door', openLimit: 1 })
  const locked = await owner.share(customers, { label: 'Access to the mail server', password: 'otter' })
  await owner.share(customers, {
    label: 'Contract with the printing house in Ghent, third draft, with comments',
    upload: await uploadFiles(site.sotto, owner.account.id),
  })
  const opened = await owner.share(house, { label: 'Wi-Fi for the guest room', openLimit: 3 })
  expectOk(await site.sotto.openSecret({ token: usedUp.link.token }))
  for (let at = 0; at < 2; at += 1) {
    site.clock.advance(7 * minuteMicros)
    expectOk(await site.sotto.openSecret({ token: opened.link.token }))
  }
  for (let at = 0; at < 6; at += 1)
    expectErr(await site.sotto.openSecret({ token: locked.link.token, password: 'wrong' }))
  return { house, usedUp, locked, opened }
}

const addresses = [
  'https://chat.example.org/hooks/T02AB4C6D/secrets-of-the-office/9f8e7d6c5b4a',
  'https://automation.example.com/webhook?key=0123456789',
  'https://old.example.net/sotto',
  'https://xn--bcher-kva.example/hook',
  `https://${'a-very-long-name-of-a-host'.repeat(2)}.example.org/`,
]

/** Adds a passkey, by default for the site's own host. */
async function addPasskey(
  { sotto, origin }: Site,
  { account: { id: accountId } }: Owner,
  { name, rpId = 'localhost' }: { readonly name: string; readonly rpId?: string },
): Promise<void> {
  const session = { accountId, sessionId: accountId }
  const { challenge } = expectOk(await sotto.beginPasskey(session))
  const made = createSoftPasskey().made({ challenge, rpId, origin })
  expectOk(await sotto.addPasskey({ ...session, name, made, relyingParty: { id: rpId, origin } }))
}

/** The second fails for two days, the third was disabled. */
async function addWebhooks(
  site: Site,
  { account }: Owner,
  urls: readonly string[],
): Promise<readonly Uuid[]> {
  const ids: Uuid[] = []
  for (const url of urls) {
    ids.push(expectOk(await site.sotto.createWebhook({ accountId: account.id, url })).id)
    site.clock.advance(minuteMicros)
  }
  const [, failing, gone] = ids
  const nowMicros = site.clock.nowMicros()
  const failingSinceMicros = nowMicros - 2 * 24 * 60 * minuteMicros
  const disabled = { atMicros: nowMicros, reason: 'gone' } as const
  if (failing !== undefined) {
    expectOk(await site.webhooks.update(account.id, failing, () => ({ failingSinceMicros })))
  }
  if (gone !== undefined) expectOk(await site.webhooks.update(account.id, gone, () => ({ disabled })))
  return ids
}

async function draftWithFiles(site: Site, owner: Owner, password?: string): Promise<string> {
  const upload = await uploadFiles(site.sotto, owner.account.id)
  return draft(site, owner, password, undefined, upload)
}

async function draft(
  site: Site,
  owner: Owner,
  password?: string,
  folderId?: string,
  upload?: Upload,
): Promise<string> {
  const input = {
    upload,
    showsFiles: true,
    accountId: owner.account.id,
    folderId: folderId ?? (await owner.folder('Lindenhof guest house')).id,
    label: 'Instructions for the alarm',
    note,
    password,
  }
  return expectOk(await site.sotto.saveDraft(input)).id
}
