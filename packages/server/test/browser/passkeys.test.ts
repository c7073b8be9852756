import { expectOk } from '@sotto/test-kit'
import type { Browser, CDPSession, Page } from 'playwright-core'
import t from 'tap'
import { browserOptions, launchBrowser, openPage, type OpenedPage, type Scope } from './support/browser.ts'
import { newOwner, ownerPassword } from './support/owner.ts'
import { startForeignPage, startSite, type Site } from './support/site.ts'

const reauthenticationMicros = 10 * 60 * 1_000_000

/** A page with an authenticator that is built into its device, and verifies its user without asking. */
interface Device extends OpenedPage {
  readonly cdp: CDPSession
  readonly authenticatorId: string
  /** Begins what needs a passkey, agrees to what the browser asks from then on, and waits for what comes of it. */
  agree<T>(begin: () => Promise<unknown>, outcome: () => Promise<T>): Promise<T>
}

async function openDevice(
  scope: Scope,
  browser: Browser,
  { scripts = true, offersInField = false } = {},
): Promise<Device> {
  const opened = await openPage(scope, browser, { width: 1024, scripts })
  if (!offersInField) {
    await opened.page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  }
  const cdp = await opened.context.newCDPSession(opened.page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  const setPresence = (enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return {
    ...opened,
    cdp,
    authenticatorId,
    async agree(begin, outcome) {
      await setPresence(true)
      await begin()
      const answer = await outcome()
      await setPresence(false)
      return answer
    },
  }
}

// Promise (The owner's pages): Passkeys work in a browser, from adding one to removing it
t.test('passkeys in a browser', browserOptions(), async (t) => {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())

  await t.test('an owner adds one, signs in with it, proves with it, and removes it', async (t) => {
    const site = await startSite(t)
    const device = await openDevice(t, browser)
    const { page, context, complaints, foreignRequests } = device
    const owner = await newOwner(site)
    await owner.signIn(context)
    await add(device, site, 'My laptop')
    t.match(await page.textContent('.items'), 'not used yet')

    // Its authenticator makes no second one.
    await page.getByLabel('Name').fill('Again')
    const known = 'This device already has a passkey for your account.'
    await device.agree(
      () => press(page, 'Add a passkey'),
      () => said(page, known),
    )

    await press(page, 'Sign out')
    await device.agree(
      () => press(page, 'Use a passkey'),
      () => page.waitForURL(`${site.origin}/dashboard`),
    )
    await page.goto(`${site.origin}/settings/sign-in`)
    t.match(await page.textContent('.items'), 'last used')

    site.clock.advance(reauthenticationMicros)
    await page.goto(`${site.origin}/settings/tokens`)
    await page.getByLabel('Name').fill('A program')
    await device.agree(
      () => press(page, 'Use a passkey'),
      () => page.locator('#token').waitFor(),
    )

    await page.goto(`${site.origin}/settings/sign-in`)
    await press(page, 'Delete')
    t.match(await page.textContent('main'), 'My laptop')
    await press(page, 'Delete')
    await said(page, 'The passkey is deleted.')
    await press(page, 'Sign out')
    await device.agree(
      () => press(page, 'Use a passkey'),
      () => said(page, refused),
    )
    t.same([complaints, foreignRequests], [[], []])
  })

  await t.test(
    'the email field offers it, where the browser can, and the button works all the same',
    async (t) => {
      const site = await startSite(t)
      const device = await openDevice(t, browser, { offersInField: true })
      const { page, context } = device
      const owner = await newOwner(site)
      await owner.signIn(context)
      await add(device, site)
      await context.clearCookies()
      const open = () => page.goto(`${site.origin}/login?next=/settings`)
      const arrived = () => page.waitForURL(`${site.origin}/settings`)
      // Nothing is pressed: a browser answers what the field asked for.
      await device.agree(open, arrived)
      t.equal(await page.textContent('h1'), 'Settings')
    },
  )

  await t.test('a person who gives up can try again, or enter the password', async (t) => {
    const site = await startSite(t)
    const device = await openDevice(t, browser)
    const { page, context, cdp, authenticatorId } = device
    const owner = await newOwner(site)
    await owner.signIn(context)
    await add(device, site)
    await context.clearCookies()
    await page.goto(`${site.origin}/login`)
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await device.agree(
      () => press(page, 'Use a passkey'),
      () => said(page, 'No passkey was used.'),
    )
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(ownerPassword)
    await press(page, 'Sign in')
    await page.waitForURL(`${site.origin}/dashboard`)
  })

  await t.test('a proof for a passkey comes before the passkey, and the name stays', async (t) => {
    const site = await startSite(t)
    const device = await openDevice(t, browser)
    const { page, context } = device
    const owner = await newOwner(site)
    await owner.signIn(context)
    site.clock.advance(reauthenticationMicros)
    await page.goto(`${site.origin}/settings/sign-in`)
    await page.getByLabel('Name').fill('Phone')
    await page
      .locator('form', { has: page.getByLabel('Name') })
      .getByLabel('Password')
      .fill(ownerPassword)
    await press(page, 'Add a passkey')
    await said(page, 'Now press')
    t.equal(await page.getByLabel('Name').inputValue(), 'Phone')
    await device.agree(
      () => press(page, 'Add a passkey'),
      () => said(page, 'The passkey is added.'),
    )
  })

  await t.test('what a browser signs for another page, or without its user, is refused', async (t) => {
    const site = await startSite(t)
    const device = await openDevice(t, browser)
    const { page, context, cdp, authenticatorId } = device
    const owner = await newOwner(site)
    await owner.signIn(context)
    await add(device, site)
    await context.clearCookies()

    await t.test('a page of the same host at another port', async (t) => {
      const asked = await askedAt(page, site)
      const port = await startForeignPage(t, { html: '<!doctype html><title>foreign</title>' })
      await page.goto(`http://localhost:${String(port)}/`)
      t.equal(await statusOf(site, await use(device, asked)), 401)
    })

    await t.test('an authenticator that does not verify its user', async () => {
      await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBadUV: true })
      await page.goto(`${site.origin}/login`)
      await device.agree(
        () => press(page, 'Use a passkey'),
        () => said(page, refused),
      )
      await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBadUV: false })
    })

    await t.test('the same message a second time', async (t) => {
      const text = await use(device, await askedAt(page, site))
      t.same([await statusOf(site, text), await statusOf(site, text)], [303, 401])
    })

    await t.test('a copy whose counter goes backwards', async (t) => {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
      const [credential] = credentials
      if (credential === undefined) throw new Error('the authenticator has no passkey')
      const { credentialId } = credential
      await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
      await cdp.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount: 0 },
      })
      t.equal(await statusOf(site, await use(device, await askedAt(page, site))), 401)
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
      await cdp.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount: 99 },
      })
      t.equal(await statusOf(site, await use(device, await askedAt(page, site))), 303)
    })
  })

  await t.test('the passkey of another account proves nothing', async (t) => {
    const site = await startSite(t)
    const [ada, bob] = [await newOwner(site), await newOwner(site)]
    const adas = await openDevice(t, browser)
    const bobs = await openDevice(t, browser)
    for (const [owner, device] of [[ada, adas] as const, [bob, bobs] as const]) {
      await owner.signIn(device.context)
      await add(device, site)
    }
    await bobs.context.clearCookies()
    await ada.signIn(bobs.context)
    site.clock.advance(reauthenticationMicros)
    await bobs.page.goto(`${site.origin}/settings/delete`)
    // A script asks for any passkey instead of Ada’s, as somebody may do who stole her session.
    const proof = `passkey:${await use(bobs, await askedOn(bobs.page))}`
    const cookies = await bobs.context.cookies(site.origin)
    const answer = await fetch(`${site.origin}/settings/delete`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
      body: new URLSearchParams({ proof }),
    })
    t.equal(answer.status, 400)
    expectOk(await site.sotto.getAccount({ accountId: ada.account.id }))
  })

  await t.test('a browser that makes no passkeys says so where another one has the form', async (t) => {
    const site = await startSite(t)
    const noneHere = 'This browser cannot make passkeys.'
    for (const canMake of [true, false]) {
      const { page, context } = await openPage(t, browser, { width: 390 })
      if (!canMake) await page.addInitScript('delete window.PublicKeyCredential')
      await (await newOwner(site)).signIn(context)
      await page.goto(`${site.origin}/settings/sign-in`)
      t.equal(await page.getByText(noneHere).isVisible(), !canMake)
      t.equal(await page.getByRole('button', { name: 'Add a passkey' }).isVisible(), canMake)
    }
  })

  await t.test('without scripts there is a password, and nothing of passkeys to see', async (t) => {
    const site = await startSite(t)
    const { page } = await openDevice(t, browser, { scripts: false })
    await page.goto(`${site.origin}/login`)
    t.equal(await page.getByText('Use a passkey').isVisible(), false)
    t.equal(await page.getByLabel('Password').isVisible(), true)
  })
})

const refused = 'This passkey was not accepted.'

async function add({ page, agree }: Device, site: Site, name = 'Phone'): Promise<void> {
  await page.goto(`${site.origin}/settings/sign-in`)
  await page.getByLabel('Name').fill(name)
  await agree(
    () => press(page, 'Add a passkey'),
    () => said(page, 'The passkey is added.'),
  )
}

interface Asked {
  readonly challenge: string
  readonly rpId: string
}

async function askedAt(page: Page, { origin }: Site): Promise<Asked> {
  await page.goto(`${origin}/login`)
  return askedOn(page)
}

async function askedOn(page: Page): Promise<Asked> {
  const json = await page.locator('[data-passkey]').first().getAttribute('data-passkey')
  return JSON.parse(json ?? '') as Asked
}

/** Uses a passkey on the page that is shown, with a script of the test. What the page's form would send. */
async function use({ page, agree }: Device, asked: Asked): Promise<string> {
  let used: Promise<string> | undefined
  const begin = async () => {
    used = page.evaluate<string>(`(${askingScript})(${JSON.stringify(asked)})`)
  }
  return agree(begin, async () => (await used) ?? '')
}

const askingScript = `async ({ challenge, rpId }) => {
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
  const text = (buffer) => new Uint8Array(buffer || []).toBase64({ alphabet: 'base64url', omitPadding: true })
  const publicKey = { challenge: bytes(challenge), rpId, userVerification: 'required' }
  const { rawId, response } = await navigator.credentials.get({ publicKey })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return [rawId, clientDataJSON, authenticatorData, signature, userHandle].map(text).join('.')
}`

/** Of the answer to a form that no browser sends. */
async function statusOf({ origin }: Site, passkey: string): Promise<number> {
  const body = new URLSearchParams({ passkey })
  return (await fetch(`${origin}/login/passkey`, { method: 'POST', redirect: 'manual', body })).status
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

async function said(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor()
}
