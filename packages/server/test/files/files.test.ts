import { randomBytes } from 'node:crypto'
import { secretLifetimeMicros } from '@sotto/core'
import { createManualClock, expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import type { Installation } from '../../src/installation/installation.ts'
import {
  addDraftWithFiles,
  addSecretWithFiles,
  countedFiles,
  fetched,
  openLink,
  storedContents,
} from '../support/files.ts'
import { addOwner, openIn } from '../support/installation.ts'
import { startPostgres } from '../support/postgres.ts'

const files = [
  { name: 'contract.pdf', type: 'application/pdf', content: randomBytes(300_000) },
  { name: 'key', content: randomBytes(10) },
]
const contents = files.map(({ content }) => content)
/** What is stored of them, and counts: padded, and with the tags of the cipher. */
const countedBytes = 307_296

interface Stage {
  readonly installation: Installation
  readonly clock: ReturnType<typeof createManualClock>
  /** Ends it as a kill does, with nothing that was begun finished, and opens it again. */
  reopen(): Promise<Installation>
}

/** The same test on both databases. */
function onBoth(name: string, run: (t: Test, stage: Stage) => Promise<void>): void {
  for (const database of ['SQLite', 'PostgreSQL']) {
    void t.test(`${name}, on ${database}`, async (t) => {
      const env = database === 'SQLite' ? {} : (await startPostgres()).env
      const cwd = t.testdir()
      const clock = createManualClock(noonMicros)
      const open = () => openIn(cwd, { env, replace: { clock } })
      let installation = await open()
      t.teardown(() => installation.close())
      const reopen = async () => {
        await installation.close()
        return (installation = await open())
      }
      await run(t, { installation, clock, reopen })
    })
  }
}

// Promise (Sealed at rest): A rotation encrypts names and keys of files again, and leaves their contents as they are
onBoth('a rotation leaves the contents of files byte for byte as they are', async (t, { installation }) => {
  const { sotto } = installation
  const owner = await addOwner(installation)
  const secret = await addSecretWithFiles(installation, owner, files)
  const opened = await openLink(installation, secret)
  const draft = await addDraftWithFiles(installation, owner, files)
  const before = await storedContents(installation)
  t.equal(before.size, 4)
  expectOk(await sotto.rotateKeys())
  expectOk(await sotto.retireKey({ kid: 1 }))
  t.strictSame(await storedContents(installation), before)
  t.strictSame(await fetched(installation, await openLink(installation, secret)), contents)
  t.strictSame(await fetched(installation, opened), contents, 'with a ticket from before')
  const { accountId } = owner
  const shared = expectOk(await sotto.shareDraft({ accountId, id: draft.id }))
  t.strictSame(await fetched(installation, await openLink(installation, shared)), contents)
  t.match(
    expectOk(await sotto.viewSecret({ accountId, id: secret.id })).files,
    files.map(({ name, content }) => ({ name, size: content.length })),
  )
  t.strictSame(expectOk(await sotto.findCorruptedRows()), [])
})

/** What an owner can delete, and how. */
const deletions = {
  'a secret': ({ sotto }: Installation, { accountId, secretId }: Deleted) =>
    sotto.destroySecret({ accountId, id: secretId }),
  'a draft': ({ sotto }: Installation, { accountId, draftId }: Deleted) =>
    sotto.deleteDraft({ accountId, id: draftId }),
  'a folder': ({ sotto }: Installation, { accountId, folderId }: Deleted) =>
    sotto.deleteFolder({ accountId, id: folderId, withContents: true }),
  'an account': ({ sotto }: Installation, { accountId }: Deleted) => sotto.deleteAccount({ accountId }),
} as const

interface Deleted {
  readonly accountId: string
  readonly folderId: string
  readonly secretId: string
  readonly draftId: string
}

for (const [what, remove] of Object.entries(deletions)) {
  // Promise (Sealed at rest): What an owner deletes takes its files along: tickets end at once, contents go with the next sweep
  onBoth(`the files of ${what} that is deleted are gone with the next sweep`, async (t, stage) => {
    const { installation, reopen } = stage
    const owner = await addOwner(installation)
    const secret = await addSecretWithFiles(installation, owner, files)
    const draft = await addDraftWithFiles(installation, owner, files)
    const { attached } = await openLink(installation, secret)
    const ids = { ...owner, secretId: secret.id, draftId: draft.id }
    expectOk<unknown, unknown>(await remove(installation, ids))
    const kept = what === 'a secret' || what === 'a draft' ? 2 : 0
    const ticket = { ticket: attached?.ticket ?? '', number: 1 }
    const read = await installation.sotto.readTicket(ticket)
    t.equal(read.isOk(), what === 'a draft', 'the ticket')
    // The server ends before it has swept, and is started again.
    const again = await reopen()
    t.equal((await storedContents(again)).size, 4)
    t.strictSame(expectOk(await again.sotto.sweepFiles()), { files: 4 - kept, orphans: 0 })
    t.equal((await storedContents(again)).size, kept)
    t.strictSame(await countedFiles(again), { files: kept, fileBytes: kept === 0 ? 0 : countedBytes })
    t.strictSame(expectOk(await again.sotto.sweepFiles({ withOrphans: true })), { files: 0, orphans: 0 })
  })
}

onBoth(
  'a sweep that ended between a content and its row is continued',
  async (t, { installation, reopen }) => {
    const owner = await addOwner(installation)
    const { id } = await addSecretWithFiles(installation, owner, files)
    expectOk(await installation.sotto.destroySecret({ accountId: owner.accountId, id }))
    const [first = ''] = (await storedContents(installation)).keys()
    expectOk(await installation.storage.fileContents.drop(first))
    const again = await reopen()
    t.strictSame(expectOk(await again.sotto.sweepFiles()), { files: 2, orphans: 0 })
    t.strictSame(await countedFiles(again), { files: 0, fileBytes: 0 })
  },
)

onBoth('after the last open files stay until the ticket ends, and are gone then', async (t, stage) => {
  const { installation, clock } = stage
  const { sotto } = installation
  const secret = await addSecretWithFiles(installation, await addOwner(installation), files, { openLimit: 1 })
  const opened = await openLink(installation, secret)
  expectErr(await sotto.openSecret({ token: secret.link.token }), 'link_not_found')
  t.strictSame(expectOk(await sotto.sweepFiles()), { files: 0, orphans: 0 })
  t.strictSame(await fetched(installation, opened), contents)
  clock.advance(3_600_000_000)
  expectErr(await sotto.readTicket({ ticket: opened.attached?.ticket ?? '', number: 1 }), 'file_not_found')
  t.strictSame(expectOk(await sotto.sweepFiles()), { files: 2, orphans: 0 })
  t.equal((await storedContents(installation)).size, 0)
})

onBoth('the files of secrets that expired are gone with the sweep', async (t, { installation, clock }) => {
  const { sotto } = installation
  await addSecretWithFiles(installation, await addOwner(installation), files)
  clock.advance(secretLifetimeMicros + 11 * 60_000_000)
  expectOk(await sotto.sweepExpired())
  t.strictSame(expectOk(await sotto.sweepFiles()), { files: 2, orphans: 0 })
  t.strictSame(await countedFiles(installation), { files: 0, fileBytes: 0 })
})
