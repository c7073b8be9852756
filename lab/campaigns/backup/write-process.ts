/**
 * Writes to an installation, in a process of its own, until it is killed: numbered secrets one after the other, each followed by a draft.
 * `contents.ts` says which of them have files, and what becomes of them. Prints the number of each pair when it is acknowledged.
 *
 *     node write-process.ts DIRECTORY ACCOUNT FOLDER
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Uuid } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { contentOf, uploadFile } from '../support/files.ts'
import { openPlace, placeIn } from '../support/place.ts'
import { draftFileOf, endOf, hasFile, laterBy } from './contents.ts'

/** The pause between pairs keeps their number so small that all can be checked. */
const pauseMillis = 10
/** How many pairs there are between two sweeps, which drop the contents of what was erased. */
const sweptEvery = 20

const [directory = '.', accountId = '', folderId = ''] = process.argv.slice(2)
const { sotto } = await openPlace(placeIn(directory))
const written: { readonly secret: Uuid; readonly draft: Uuid }[] = []
for (let number = 0; ; number += 1) {
  written.push(await write(number))
  await changeEarlier(number - laterBy)
  if (number % sweptEvery === 0) expectOk(await sotto.sweepFiles())
  process.stdout.write(`${number}\n`)
  await pause(pauseMillis)
}

async function write(number: number) {
  const isOpened = endOf(number) === 'opened'
  const note = `note ${number} `.padEnd(200 + ((number * 7_919) % 20_000), '.')
  const fields = { accountId, folderId, label: `${number}`, note }
  const file = () => uploadFile(sotto, accountId, contentOf(number))
  const upload = hasFile(number) ? await file() : undefined
  const { id: secret, link } = expectOk(
    await sotto.createSecret({ ...fields, openLimit: isOpened ? 1 : undefined, upload }),
  )
  if (isOpened) expectOk(await sotto.openSecret({ token: link.token }))
  const ofDraft = draftFileOf(number) === undefined ? undefined : await file()
  const { id: draft } = expectOk(await sotto.saveDraft({ ...fields, note: 'a note', upload: ofDraft }))
  return { secret, draft }
}

async function changeEarlier(number: number): Promise<void> {
  const { secret, draft: id } = written[number] ?? {}
  if (secret !== undefined && endOf(number) === 'erased')
    expectOk(await sotto.deleteSecrets({ accountId, ids: [secret] }))
  if (id === undefined || draftFileOf(number) !== 'removed') return
  const { label, sealedFiles, files } = expectOk(await sotto.getDraft({ accountId, id }))
  const content = { note: 'edited', sealedFiles, removedFiles: files.map((file) => file.id) }
  expectOk(await sotto.editDraft({ accountId, folderId, id, label, content }))
}
