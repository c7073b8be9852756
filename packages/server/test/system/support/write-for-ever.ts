/**
 * Writes to an installation, in a process of its own, until it is killed: numbered secrets one after the other, each followed by a draft.
 * Every fourth secret may be opened once, and is opened at once. Prints the number of each pair when it is acknowledged.
 *
 *     node write-for-ever.ts DIRECTORY ACCOUNT FOLDER
 */
import { expectOk } from '@sotto/test-kit'
import { addDraft, addSecret, openIn } from '../../support/installation.ts'

const [cwd = '.', accountId = '', folderId = ''] = process.argv.slice(2)
const installation = await openIn(cwd)
const owner = { accountId, folderId, token: '' }
for (let number = 0; ; number += 1) {
  const isOpened = number % 4 === 3
  const note = `note ${number} `.padEnd(200 + ((number * 7_919) % 20_000), '.')
  const openLimit = isOpened ? 1 : undefined
  const { link } = await addSecret(installation, owner, { label: `${number}`, note, openLimit })
  if (isOpened) expectOk(await installation.sotto.openSecret({ token: link.token }))
  await addDraft(installation, owner, { label: `${number}` })
  process.stdout.write(`${number}\n`)
}
