import { postgresDriver } from '../../src/identity.ts'

/** Opens the database of the URL in the first argument, and prints its instance id, or the error. */
const [, , url = ''] = process.argv
const opened = await postgresDriver({ url, connectionsMax: 1 }).open({
  onFatal: () => undefined,
  log: () => undefined,
})
if (opened.isErr()) {
  process.stdout.write(JSON.stringify(opened.error))
} else {
  process.stdout.write(Buffer.from(opened.value.instanceId).toString('hex'))
  await opened.value.close()
}
