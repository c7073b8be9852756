/**
 * Writes to an installation, in a process of its own, until it is killed: numbered secrets, one after the other, each fourth of them
 * opened for the last time as soon as it is there, and a draft behind each. Tells the number of each on standard output once it is
 * acknowledged.
 *
 *     node write-for-ever.ts DIRECTORY ACCOUNT FOLDER
 */
import { openSecret } from '@sotto/core'
import { addDraft, addSecret, okOf, openIn } from './world.ts'

const [cwd = '.', accountId = '', folderId = ''] = process.argv.slice(2)
const installation = await openIn(cwd)
const cast = { accountId, folderId, token: '' }
for (let number = 0; ; number += 1) {
  const isLast = number % 4 === 3
  const note = `note ${number} `.padEnd(200 + ((number * 7_919) % 20_000), '.')
  const { link } = await addSecret(installation, cast, {
    label: `${number}`,
    note,
    openLimit: isLast ? 1 : 0,
  })
  if (isLast) await okOf(openSecret(installation.ports, { token: link.token }))
  await addDraft(installation, cast, { label: `${number}` })
  process.stdout.write(`${number}\n`)
}
