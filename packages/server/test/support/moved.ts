import { createManualClock, expectOk, noonMicros } from '@sotto/test-kit'
import type { Test } from 'tap'
import { addSecretWithFiles, fetched } from './files.ts'
import { addDraft, addOwner, addSecret, codeOf, entriesOf, openIn } from './installation.ts'

/** With the time of everything that is made and looked at here. */
export const replace = { clock: createManualClock(noonMicros) }
const email = 'ann@example.org'
const choice = { password: 'four words in a row', address: '192.0.2.1' }
const signIn = { ...choice, email }

const files = [300_000, 1].map((length) => ({ name: `${length} bytes`, content: Buffer.alloc(length, 7) }))

export type Filled = Awaited<ReturnType<typeof fillInstallation>>

/** Makes an installation with rows of every kind that a move takes along, a session, and a counted call. */
export async function fillInstallation(cwd: string, env: NodeJS.ProcessEnv = {}) {
  const installation = await openIn(cwd, { env, replace })
  const { sotto, storage } = installation
  const owner = await addOwner(installation)
  const { accountId, folderId } = owner
  expectOk(await sotto.createWebhook({ accountId, url: 'https://hooks.example.org/x' }), 'a webhook')
  const limited = await addSecret(installation, owner, { label: 'limited', openLimit: 5, notify: true })
  const guarded = await addSecret(installation, owner, { label: 'guarded', password: 'pass' })
  const spent = await addSecretWithFiles(installation, owner, files, {
    label: 'spent',
    openLimit: 1,
    notify: true,
  })
  const long = await addSecretWithFiles(installation, owner, files, {
    label: 'long',
    note: 'n'.repeat(60_000),
  })
  const openOnce = async (token: string, formId?: string) =>
    expectOk(await sotto.openSecret({ token, formId }), 'an open')
  await openOnce(limited.link.token, 'ab'.repeat(16))
  expectOk(await sotto.distributeEvents({}), 'deliveries')
  const spending = await openOnce(spent.link.token)
  await codeOf(sotto.openSecret({ token: guarded.link.token, password: 'wrong' }))
  await addDraft(installation, owner, { label: 'draft' })
  const request = { accountId, folderId, label: 'once', note: 'a note', idempotencyKey: 'key-1' }
  const once = expectOk(await sotto.createSecretOnce(request), 'a secret with a key').secret
  const { token: invited } = expectOk(await sotto.inviteAccount({ email }))
  const { token: session } = expectOk(await sotto.choosePassword({ ...choice, token: invited }))
  await codeOf(sotto.signIn({ ...signIn, password: 'another one, wrong' }))
  const invitation = expectOk(await sotto.resetAccount({ email }))
  expectOk(await sotto.takeQuota({ bucket: { kind: 'account', accountId } }))
  expectOk(await storage.upkeep.recordSweep(noonMicros))
  await installation.close()
  return { owner, limited, guarded, spent, spending, long, request, once, session, invitation }
}

/** Uses what was moved, each link with an open limit once. `opensLeft` is what remains of the limited one afterwards. */
export async function checkMoved(
  t: Test,
  cwd: string,
  { filled, env, opensLeft }: { filled: Filled; env: NodeJS.ProcessEnv; opensLeft: number },
): Promise<void> {
  const { owner, limited, guarded, spent, spending, long, request, once, session, invitation } = filled
  const installation = await openIn(cwd, { env, replace })
  const { sotto, storage } = installation
  const { accountId } = owner
  const open = (token: string, more = {}) => sotto.openSecret({ token, ...more })
  t.equal(expectOk(await open(limited.link.token)).opensLeft, opensLeft, 'opens are counted on')
  const form = { formId: 'ab'.repeat(16) }
  t.equal(await codeOf(open(limited.link.token, form)), 'form_already_used', 'a form opens once')
  t.equal(expectOk(await open(guarded.link.token, { password: 'pass' })).note, 'a note')
  t.equal(await codeOf(open(spent.link.token)), 'link_not_found', 'what was used up stays so')
  const opened = expectOk(await open(long.link.token))
  t.equal(opened.note.length, 60_000)
  const contents = files.map(({ content }) => content)
  t.same(await fetched(installation, opened), contents, 'files are there')
  t.same(await fetched(installation, spending), contents, 'a ticket from before still fetches files')
  t.equal(await codeOf(sotto.authenticate({ token: owner.token })), 'ok', 'tokens work')
  t.equal(await codeOf(sotto.authenticateSession({ token: session })), 'session_invalid')
  t.equal(await codeOf(sotto.previewInvitation({ token: invitation.token })), 'ok', 'one-time links work')
  const again = expectOk(await sotto.createSecretOnce(request))
  t.match(again, { isReplayed: true, secret: { id: once.id } }, 'a repeated request gets the same secret')
  const quota = expectOk(await sotto.peekQuota({ bucket: { kind: 'account', accountId } }))
  t.equal(quota.remaining, quota.limit, 'the quota is fresh')
  const labels = (entries: readonly { readonly label: string }[]) => entries.map(({ label }) => label).sort()
  t.same(labels(await entriesOf(sotto.listDrafts({ accountId }))), ['draft'])
  t.same(labels(await entriesOf(sotto.listSecrets({ accountId }))), [
    ...['guarded', 'limited', 'long', 'once', 'spent'],
  ])
  t.equal(expectOk(await sotto.listWebhooks({ accountId })).items.length, 1)
  t.match(expectOk(await storage.deliveries.state()), { dead: 0 })
  t.ok(expectOk(await storage.deliveries.nextDue('webhook')) !== undefined, 'a delivery is due')
  t.equal(await codeOf(sotto.sweepExpired()), 'ok')
  await installation.close()
}
