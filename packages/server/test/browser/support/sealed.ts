import type { Uuid } from '@sotto/core'
import { keyText, lockOf, newKey, sealFile, sealNote } from '@sotto/sealed'
import { expectOk } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import type { Site } from './site.ts'
import { submit, type ReachState } from './states.ts'

/** A text that the server must not see. */
export const canary = 'canary 4711'

interface SealOptions {
  readonly password?: string
  readonly text?: string
  readonly openLimit?: number
  readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[]
  /** Whether the sealed text was changed, so that nothing decrypts it. */
  readonly isDamaged?: boolean
}

/** A sealed secret of the site, as a browser or the client would have sealed it. */
export async function shareSealed(site: Site, options: SealOptions = {}) {
  const { password, text = canary, openLimit = 3, files = [], isDamaged = false } = options
  const key = newKey()
  const lock = await lockOf(key, password)
  const listed = files.map(({ name, bytes }) => ({
    key: newKey(),
    name,
    size: bytes.length,
    type: 'text/plain',
  }))
  const whole = (await sealNote(key, lock, { text, files: listed })) ?? ''
  const note = isDamaged ? whole.slice(0, -2) + (whole.endsWith('AA') ? 'BA' : 'AA') : whole
  const sealed = await Promise.all(
    files.map(
      async ({ bytes }, at) =>
        new Uint8Array(await new Response(sealFile(listed[at]?.key ?? key, new Blob([bytes]))).arrayBuffer()),
    ),
  )
  const upload = sealed.length === 0 ? undefined : (accountId: Uuid) => uploadOf(site, accountId, sealed)
  const given = { note, label: 'the title', openLimit, ...(lock.password && { password: lock.password }) }
  const shared = await site.share(given, upload)
  return { ...shared, link: `${shared.url}#${keyText(key)}`, key: keyText(key), note }
}

async function uploadOf(site: Site, accountId: Uuid, sealed: readonly Uint8Array[]) {
  async function* files() {
    for (const [at, bytes] of sealed.entries())
      yield await Promise.resolve(ok({ name: `${at + 1}.sealed`, content: contentOf(bytes) }))
  }
  return expectOk(await site.sotto.uploadFiles({ accountId, files: files() }))
}

async function* contentOf(bytes: Uint8Array) {
  yield await Promise.resolve(ok(bytes))
}

const password = 'right'
const files = [
  { name: 'Mietvertrag 2026.pdf', bytes: new Uint8Array(2_400_000) },
  { name: 'notes.txt', bytes: new Uint8Array(5) },
]

const visit =
  (options?: SealOptions): ReachState =>
  async (page, site) => {
    await page.goto((await shareSealed(site, options)).link)
  }

/** Every state of a sealed link that a recipient may see: how a page comes into it, and what it says in English. */
export const sealedStates: Readonly<
  Record<string, { readonly reach: ReachState; readonly says: string; readonly scripts?: false }>
> = {
  ready: {
    reach: visit(),
    says: 'Encrypted in the sender’s browser. This server cannot read it.',
  },
  'ready-password': {
    reach: visit({ password }),
    says: 'Password',
  },
  'wrong-password': {
    async reach(page, site) {
      await visit({ password })(page, site)
      await submit(page, 'wrong')
    },
    says: 'That password is not right.',
  },
  incomplete: {
    async reach(page, site) {
      await page.goto((await shareSealed(site)).url)
    },
    says: 'This link is incomplete.',
  },
  'no-script': {
    reach: visit(),
    says: 'This message needs JavaScript, or the command: sotto open',
    scripts: false,
  },
  opened: {
    async reach(page, site) {
      await visit()(page, site)
      await submit(page)
      await page.waitForSelector('#note')
    },
    says: canary,
  },
  'opened-files': {
    async reach(page, site) {
      await visit({ files, openLimit: 1 })(page, site)
      await submit(page)
      await page.waitForSelector('#note')
    },
    says: 'Mietvertrag 2026.pdf',
  },
  undecryptable: {
    async reach(page, site) {
      await visit({ isDamaged: true })(page, site)
      await submit(page)
      await page.waitForSelector('[data-when=undecryptable]')
    },
    says: 'The text could not be decrypted',
  },
}
