import t, { type Test } from 'tap'
import { addOwner, addSecret, startTestServer, type TestServer } from '../support/installation.ts'
import { startPostgres } from '../support/postgres.ts'

const storages: Readonly<Record<string, (t: Test) => Promise<NodeJS.ProcessEnv>>> = {
  SQLite: async () => ({}),
  PostgreSQL: async () => (await startPostgres()).env,
}

/** Opens a link again and again until it is gone. Resolves with the deliveries, and with those of opens that began too late. */
async function openUntilGone(server: TestServer, token: string, isTooLate: () => boolean) {
  const deliveries = { all: 0, late: 0 }
  while (deliveries.all < 1_000) {
    const late = isTooLate()
    const { status } = await server.call(`/${token}`, { method: 'POST', body: '{}' })
    if (status === 404) return deliveries
    if (status !== 200) throw new Error(`an open was answered with ${status}`)
    deliveries.all += 1
    if (late) deliveries.late += 1
  }
  throw new Error('the link is never gone')
}

for (const [name, settingsOf] of Object.entries(storages)) {
  // Promise (The JSON API): DELETE of a secret answers with the secret as it was, and destroys it: and once it is answered, no open is
  // claimed, on any process
  t.test(`on ${name} no open that begins after a DELETE was answered is delivered`, async (t) => {
    const [cwd, env] = [t.testdir(), await settingsOf(t)]
    const servers = [await startTestServer(t, cwd, { env }), await startTestServer(t, cwd, { env })] as const
    const [one, two] = servers
    const owner = await addOwner(one.installation)
    for (let round = 0; round < 20; round += 1) {
      const openLimit = round % 2 === 0 ? 1 : undefined
      const { id, link } = await addSecret(one.installation, owner, { openLimit })
      let isDestroyed = false
      const opening = [...servers, ...servers].map((server) =>
        openUntilGone(server, link.token, () => isDestroyed),
      )
      if (openLimit === undefined) await one.call(`/${link.token}`, { method: 'POST', body: '{}' })
      const answer = await two.call(`/api/secret/${id}`, { method: 'DELETE', token: owner.token })
      isDestroyed = true
      t.equal(answer.status, 200)
      const deliveries = await Promise.all(opening)
      t.strictSame(
        deliveries.map(({ late }) => late),
        [0, 0, 0, 0],
      )
      const all = deliveries.reduce((sum, each) => sum + each.all, 0)
      t.ok(openLimit === 1 ? all <= 1 : all > 0, `${all} deliveries`)
    }
  })
}
