// Shares what comes from standard input, for one open within a day, and prints the token of the link.
import { text } from 'node:stream/consumers'
import { folderOf } from './folder.ts'
import { must, openSotto } from './sotto.ts'

const { sotto, close } = await openSotto({ dataDir: './data', keyFile: './keys/sotto-keys.json' })
try {
  const { accountId, folderId } = await folderOf(sotto, 'ann')
  const note = await text(process.stdin)
  const limits = { openLimit: 1, lifetimeSeconds: 86_400 } as const
  const secret = must(
    await sotto.createSecret({ accountId, folderId, label: 'From a script', note, ...limits }),
  )
  console.log(secret.link.token)
} finally {
  await close()
}
