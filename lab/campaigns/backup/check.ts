import type { Pages, Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { contentOf, readTicketWhole } from '../support/files.ts'
import type { Owner } from '../support/owner.ts'
import { openPlace, type Place } from '../support/place.ts'
import { draftFileOf, endOf, hasFile, laterBy } from './contents.ts'

interface Context {
  readonly sotto: Installation['sotto']
  readonly accountId: Uuid
  /** How many secrets were written. */
  readonly count: number
  expect(what: string, ok: boolean): void
}

/**
 * Checks that a database and its files are the state of one point in time. Numbers have no gap, everything is there that was acknowledged before,
 * and each draft has a secret. Each note is complete with its file, or was destroyed together with its last open. What was erased while the backup
 * was made may be there without its note. Returns what is wrong.
 */
export async function check(
  place: Place,
  { accountId }: Owner,
  acknowledged: number,
): Promise<readonly string[]> {
  const installation = await openPlace(place)
  const { sotto, storage } = installation
  const findings = await storage.upkeep.examine()
  const errors = findings.filter(({ ok }) => ok === false).map(({ text }) => text)
  const expect = (what: string, ok: boolean): void => {
    if (!ok) errors.push(what)
  }
  try {
    const secrets = await entriesOf(sotto.listSecrets({ accountId }))
    const count = 1 + Math.max(-1, ...secrets.map(({ label }) => Number(label)))
    expect(`${count} of ${acknowledged}`, count >= acknowledged)
    const context = { sotto, accountId, count, expect }
    expectOk(await sotto.sweepFiles())
    const files = (await checkSecrets(context, secrets)) + (await checkDrafts(context))
    const contents = expectOk(await storage.fileContents.page(undefined, 100_000))
    expect(`${contents.length} contents are stored, of ${files} files`, contents.length === files)
    const bytes = contents.reduce((sum, { length }) => sum + length, 0)
    const { usedBytes } = expectOk(await sotto.fileUsage({ accountId }))
    expect(`${bytes} bytes of files are stored, ${usedBytes} are counted`, usedBytes === bytes)
  } finally {
    await installation.close()
  }
  return errors
}

interface Listed {
  readonly label: string
  readonly link: { readonly token: string }
}

/** How many files all secrets have. */
async function checkSecrets({ sotto, count, expect }: Context, secrets: readonly Listed[]): Promise<number> {
  const byLabel = new Map(secrets.map((secret) => [secret.label, secret]))
  let files = 0
  for (let number = 0; number < count; number += 1) {
    const secret = byLabel.get(`${number}`)
    const end = endOf(number)
    if (secret === undefined || (end === 'erased' && number < count - 1 - laterBy)) {
      expect(
        `secret ${number} is ${secret ? 'there' : 'missing'}`,
        (secret === undefined) === (end === 'erased'),
      )
      continue
    }
    const opened = await sotto.openSecret({ token: secret.link.token })
    if (opened.isErr()) {
      expect(
        `secret ${number} gets ${opened.error.code}`,
        opened.error.code === 'link_not_found' && end !== undefined,
      )
      continue
    }
    const { note, attached } = opened.value
    expect(`the note of ${number}`, note.startsWith(`note ${number} `) && /^note \d+ \.+$/.test(note))
    expect(`secret ${number} was opened before`, end !== 'opened' || number === count - 1)
    files += await checkFile({ sotto, expect }, number, {
      isExpected: hasFile(number),
      ticket: attached?.ticket,
    })
  }
  return files
}

/** Shares each draft and opens it. How many files they have. */
async function checkDrafts({ sotto, accountId, count, expect }: Context): Promise<number> {
  const drafts = await entriesOf(sotto.listDrafts({ accountId }))
  expect(`${drafts.length} drafts of ${count}`, drafts.length === count || drafts.length === count - 1)
  let files = 0
  for (const { id, label } of drafts) {
    const number = Number(label)
    const { link } = expectOk(await sotto.shareDraft({ accountId, id }))
    const { note, attached } = expectOk(await sotto.openSecret({ token: link.token }))
    const mayBeEdited = draftFileOf(number) === 'removed'
    expect(`the note of draft ${number}`, note === 'a note' || (mayBeEdited && note === 'edited'))
    const isExpected = draftFileOf(number) !== undefined && note !== 'edited'
    files += await checkFile({ sotto, expect }, number, { isExpected, ticket: attached?.ticket })
  }
  return files
}

/** How many files there are: one or none. */
async function checkFile(
  { sotto, expect }: Pick<Context, 'sotto' | 'expect'>,
  number: number,
  { isExpected, ticket }: { readonly isExpected: boolean; readonly ticket: string | undefined },
): Promise<number> {
  expect(`the files of ${number}`, isExpected === (ticket !== undefined))
  if (ticket === undefined) return 0
  const content = contentOf(number)
  const read = await readTicketWhole(sotto, ticket)
  expect(`the file of ${number}`, Buffer.isBuffer(read) && read.equals(content))
  return 1
}

/** Every entry of a list, each page of which must be Ok. */
async function entriesOf<T, E>(pages: Pages<T, E>): Promise<T[]> {
  const entries: T[] = []
  for await (const page of pages) entries.push(...expectOk(page).items)
  return entries
}
