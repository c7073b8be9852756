/** The tasks that another process runs; see `processes.ts`. It answers over the IPC channel. */
import { claimOpen } from '@sotto/core'
import { createSamples, expectOk, noonMicros } from '@sotto/test-kit'
import { addKey, open, openQuotaIn } from './helpers.ts'

const tasks = {
  /** Opens the main file and adds an account to it. Answers with the instance id. */
  async addAccount(dir: string, seed: number) {
    const database = await open(dir)
    await addKey(database, 1)
    const make = createSamples(seed)
    const id = `00000000-0000-7000-8000-${String(seed).padStart(12, '0')}`
    const account = make.account({ id, name: { kid: 1, ciphertext: make.ciphertext() } })
    expectOk(await database.accounts.insert(account, [make.nameIndex()]))
    await database.close()
    return Buffer.from(database.instanceId).toString('hex')
  },

  /** Claims opens of a link until one is refused. Answers with the number it got. */
  async claimOpens(dir: string, lookupHex: string) {
    const database = await open(dir)
    const lookup = Buffer.from(lookupHex, 'hex')
    const claim = () =>
      database.links.update(lookup, undefined, (record) =>
        claimOpen(record, { attemptId: undefined, eventId: undefined, nowMicros: noonMicros }),
      )
    let claimed = 0
    for (;;) {
      const claims = await Promise.all(Array.from({ length: 5 }, claim))
      claimed += claims.filter((each) => each.isOk()).length
      if (claims.some((each) => each.isErr() && each.error.code === 'link_not_found')) break
    }
    await database.close()
    return claimed
  },

  /** Takes calls of a bucket, many at a time. Answers with the number that were counted. */
  async takeQuota(dir: string, bucket: string, times: number, perMinute: number) {
    const { quota, close } = await openQuotaIn(dir)
    const take = () => quota.take(bucket, noonMicros, { perMinute, perDay: perMinute })
    let taken = 0
    for (let call = 0; call < times; call += 25) {
      const answers = await Promise.all(Array.from({ length: 25 }, take))
      taken += answers.filter((answer) => expectOk(answer).taken).length
    }
    await close()
    return taken
  },

  /** Adds secrets to a folder without end, and reports each as soon as it is acknowledged. */
  async addSecrets(dir: string, accountId: string, folderId: string) {
    const database = await open(dir)
    const make = createSamples(1)
    const folder = { ...make.folder(accountId), id: folderId }
    for (let round = 0; ; round += 1) {
      const secrets = Array.from({ length: 5 }, (_, at) => ({
        ...make.secret(folder),
        id: `00000000-0000-7000-8000-${String(round * 5 + at).padStart(12, '0')}`,
      }))
      await Promise.all(
        secrets.map(async (secret) => {
          expectOk(await database.secrets.insert(secret, make.note()))
          process.send?.({ added: secret.id })
        }),
      )
    }
  },
}

export type Tasks = typeof tasks

process.on('message', ({ task, args }: { task: keyof Tasks; args: never[] }) => {
  const run = tasks[task] as (...args: never[]) => Promise<unknown>
  run(...args).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: String(error instanceof Error ? error.stack : error) }),
  )
})
process.send?.({ ready: true })
