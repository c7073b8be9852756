/**
 * Writes to an installation, in a process of its own, until it is killed: numbered secrets one after the other, each followed by a draft.
 * Every fourth secret may be opened once, and is opened immediately. Prints the number of each pair when it is acknowledged.
 *
 *     node write-process.ts DIRECTORY ACCOUNT FOLDER
 */
import { expectOk } from '@sotto/test-kit'
import { openPlace, placeIn } from '../support/place.ts'

const [directory = '.', accountId = '', folderId = ''] = process.argv.slice(2)
const { sotto } = await openPlace(placeIn(directory))
for (let number = 0; ; number += 1) {
  const isOpened = number % 4 === 3
  const note = `note ${number} `.padEnd(200 + ((number * 7_919) % 20_000), '.')
  const text = { accountId, folderId, label: `${number}`, note }
  const { link } = expectOk(await sotto.createSecret({ ...text, openLimit: isOpened ? 1 : undefined }))
  if (isOpened) expectOk(await sotto.openSecret({ token: link.token }))
  expectOk(await sotto.saveDraft({ ...text, note: 'a note' }))
  process.stdout.write(`${number}\n`)
}
