import { createInterface } from 'node:readline'
import { startDatabases } from './databases.ts'

// A server for tests of other packages, in a process of its own. Each line on standard input gives the database that was taken last back,
// and takes an empty one: its URL is printed. The server ends with standard input.

const databases = await startDatabases()
let giveBack = (): void => undefined
try {
  for await (const _ of createInterface({ input: process.stdin })) {
    giveBack()
    const taken = await databases.take()
    giveBack = () => taken.giveBack()
    console.log(taken.url)
  }
} finally {
  await databases.stop()
}
