import { test, type Test as Tap } from 'tap'
import { runModelCampaign } from '../../campaigns/model/campaign.ts'
import type { Breakage } from '../../campaigns/model/world.ts'

// Other commands at each run. The failing ones are printed, with the seed that gives them again.
const seed = Date.now() % 1e9

test('random commands are answered on SQLite as on the memory storage, and as the rules say', async (t) => {
  t.comment(`seed ${seed}`)
  const { figures, divergence } = await runModelCampaign({
    runs: 30,
    steps: 30,
    seed,
    storages: ['memory', 'sqlite'],
  })
  t.equal(divergence?.text, undefined, `seed ${seed}`)
  t.ok(figures.commands > 200)
})

test('random commands are answered on PostgreSQL as on the memory storage, and as the rules say', async (t) => {
  t.comment(`seed ${seed}`)
  const { divergence } = await runModelCampaign({
    runs: 4,
    steps: 25,
    seed,
    storages: ['memory', 'postgres'],
  })
  t.equal(divergence?.text, undefined, `seed ${seed}`)
})

/** Stores that break one rule each, on the memory storage alone. */
const broken: Readonly<Record<string, Breakage>> = {
  'forgets which form has opened a link': (ports) => ({
    ...ports,
    links: {
      ...ports.links,
      update: (lookup, _, decide) => ports.links.update(lookup, undefined, decide),
    },
  }),
  'forgets which form has answered a request': (ports) => ({
    ...ports,
    requests: {
      ...ports.requests,
      answer: (digest, { bucket }, draft, decide) => ports.requests.answer(digest, { bucket }, draft, decide),
    },
  }),
  'finds a secret after its expiry': (ports) => ({
    ...ports,
    secrets: {
      ...ports.secrets,
      page: (filter, ...more) => ports.secrets.page({ ...filter, nowMicros: 0 }, ...more),
    },
  }),
  'says that an access token is revoked, and does not revoke it': (ports) => ({
    ...ports,
    accessTokens: {
      ...ports.accessTokens,
      revoke: (accountId, id) =>
        ports.accessTokens.page(accountId, undefined, 100).map((all) => all.some((each) => each.id === id)),
    },
  }),
}

for (const [name, breakage] of Object.entries(broken)) {
  test(`the rules notice a store that ${name}, and the campaign shows the few commands that lead there`, async (t) => {
    const { divergence } = await runModelCampaign({
      runs: 500,
      steps: 30,
      seed: 1,
      storages: ['memory'],
      breakage,
    })
    showsFew(t, divergence?.text)
  })
}

test('the comparison notices what no rule says: a storage that shows no messages that wait', async (t) => {
  const { divergence } = await runModelCampaign({
    runs: 500,
    steps: 30,
    seed: 1,
    storages: ['memory', 'memory'],
    breakage: (ports, at) => {
      const page: typeof ports.deliveries.page = (...all) => ports.deliveries.page(...all).map(() => [])
      return at === 0 ? ports : { ...ports, deliveries: { ...ports.deliveries, page } }
    },
  })
  showsFew(t, divergence?.text)
})

function showsFew(t: Tap, text = ''): void {
  t.match(text, /after\n {2}1\. /)
  t.ok((text.match(/\n {2}\d+\. /g) ?? []).length <= 8, text)
}
