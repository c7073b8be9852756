import { expectOk } from '@sotto/test-kit'
import { uploadFile } from '../support/files.ts'
import type { SentFile } from './sent-files.ts'
import type { World } from './world.ts'

/** Somebody with a browser. What changes is what a person would know. */
export interface Owner {
  readonly accountId: string
  /** The address from which they come: sign-ins are counted for each. */
  readonly address: string
  readonly draftPassword: string
  email: string
  password: string
  /** A word that stands in all titles of the owner, and in nobody else's. */
  readonly word: string
  /** The cookie of the session; `undefined` when signed out. */
  session: string | undefined
  /** The files of secrets and drafts, by their ids, as far as they are known. */
  readonly files: Map<string, readonly SentFile[]>
  /** The id of one thing of each kind, by the name of its place in a path. */
  readonly ids: Readonly<Record<Thing, string>>
  /** Texts that nobody else may see. */
  readonly confidential: readonly string[]
  /** Texts that no page may show again. */
  readonly hidden: string[]
}

export type Thing =
  'secret' | 'draft' | 'lockedDraft' | 'folder' | 'emptyFolder' | 'token' | 'session' | 'webhook'

/** An owner with one of each thing, in whose every text is a word that nobody else has. */
export async function makeOwner({ sotto, receiver }: World, nr: number): Promise<Owner> {
  const word = `zq${nr}zq`
  const email = `${word}@example.org`
  const password = `a long passphrase of ${nr}`
  const address = `198.51.${nr >> 8}.${nr & 255}`
  const invitation = expectOk(await sotto.inviteAccount({ email }))
  const session = expectOk(await sotto.choosePassword({ token: invitation.token, password, address }))
  const { accountId } = session
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: `folder ${word}` }))
  const empty = expectOk(await sotto.createFolder({ accountId, label: `empty ${word}` }))
  const text = { accountId, folderId, label: `label ${word}`, note: `note ${word}` }
  const file = { name: `file ${word}`, bytes: Buffer.from(`content ${word}`) }
  const upload = () => uploadFile(sotto, accountId, file.bytes, file.name)
  const secret = expectOk(await sotto.createSecret({ ...text, notify: true, upload: await upload() }))
  const draft = expectOk(await sotto.saveDraft({ ...text, upload: await upload() }))
  const draftPassword = `sesame ${word}`
  const locked = expectOk(await sotto.saveDraft({ ...text, password: draftPassword }))
  const token = expectOk(await sotto.createAccessToken({ accountId, name: `token ${word}` }))
  const webhook = expectOk(await sotto.createWebhook({ accountId, url: `${receiver}/${word}` }))
  return {
    accountId,
    address,
    word,
    draftPassword,
    email,
    password,
    session: session.token,
    files: new Map([secret, draft].map(({ id }) => [id, [file]])),
    ids: {
      secret: secret.id,
      draft: draft.id,
      lockedDraft: locked.id,
      folder: folderId,
      emptyFolder: empty.id,
      token: token.id,
      session: session.id,
      webhook: webhook.id,
    },
    confidential: [word, secret.link.token, token.token, session.token, webhook.secret, invitation.token],
    hidden: [password, draftPassword, session.token, token.token, webhook.secret, invitation.token],
  }
}

/** The paths from which every form of the pages is found, with the ids of an owner. */
export function pathsOf({ ids }: Owner): readonly string[] {
  const { secret, draft, lockedDraft, folder, emptyFolder, token, webhook } = ids
  return [
    '/dashboard',
    `/dashboard?folder=${folder}`,
    '/search',
    '/secrets/new',
    '/secrets/finished',
    `/secrets/finished?folder=${folder}`,
    `/secrets/${secret}`,
    `/secrets/${secret}/destroy`,
    `/drafts/${draft}`,
    `/drafts/${lockedDraft}`,
    `/drafts/${draft}/delete`,
    '/drafts',
    `/drafts?folder=${folder}`,
    `/folders/${folder}`,
    `/folders/${folder}/delete`,
    `/folders/${emptyFolder}/delete`,
    '/help',
    '/settings',
    '/settings/tokens',
    `/settings/tokens/${token}/revoke`,
    '/settings/sessions',
    '/settings/notifications',
    `/settings/notifications/webhooks/${webhook}/delete`,
    '/settings/delete',
    '/login',
    '/settings/download',
  ]
}

/** The paths of things, each of which must look to others as if it did not exist. */
export function thingPathsOf({
  ids,
}: Owner): readonly (readonly [path: string, methods: readonly string[]])[] {
  const both = ['GET', 'POST']
  return [
    [`/secrets/${ids.secret}`, ['GET']],
    [`/secrets/${ids.secret}/destroy`, both],
    [`/drafts/${ids.draft}`, both],
    [`/drafts/${ids.lockedDraft}/note`, ['POST']],
    [`/drafts/${ids.lockedDraft}/delete`, both],
    [`/folders/${ids.folder}`, both],
    [`/folders/${ids.folder}/delete`, both],
    [`/folders/${ids.emptyFolder}/delete`, both],
    [`/drafts?folder=${ids.folder}`, ['GET']],
    [`/dashboard?folder=${ids.folder}`, ['GET']],
    [`/secrets/finished?folder=${ids.folder}`, both],
    [`/settings/tokens/${ids.token}/revoke`, both],
    [`/settings/sessions/${ids.session}/name`, ['POST']],
    [`/settings/sessions/${ids.session}/end`, ['POST']],
    [`/settings/notifications/webhooks/${ids.webhook}/test`, ['POST']],
    [`/settings/notifications/webhooks/${ids.webhook}/delete`, both],
  ]
}
