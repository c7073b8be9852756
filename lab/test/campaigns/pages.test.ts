import { randomInt } from 'node:crypto'
import t from 'tap'
import { runPagesCampaign } from '../../campaigns/pages/campaign.ts'
import type { Answer, Request } from '../../campaigns/pages/world.ts'

// Promise (The owner's pages): No request to the pages causes an unrequested change or shows data of others
t.test('generated use of the pages changes nothing unasked, and shows nothing of others', async (t) => {
  const seed = randomInt(2 ** 31)
  t.comment(`npm run campaign pages -- --requests 250 --seed ${seed}`)
  const { figures, violations } = await runPagesCampaign({ requests: 250, seed })
  t.strictSame(violations, [], `--seed ${seed}`)
  t.ok((figures['requests'] ?? 0) > 80, `${figures['requests']} requests`)
})

t.test('pages that break a rule are noticed', async (t) => {
  const cases: readonly (readonly [
    what: string,
    asked: (request: Request) => Request,
    answered: (answer: Answer) => Answer,
  ])[] = [
    [
      'text that is not escaped',
      asIs,
      (answer) => ({ ...answer, body: answer.body.replaceAll('&lt;', '<') }),
    ],
    ['forms of other sites that are taken', withoutOrigin, asIs],
    ['a draft without version', (request) => ({ ...request, body: withoutVersion(request.body) }), asIs],
    [
      'a file with other bytes',
      asIs,
      (answer) => ({ ...answer, bytes: Buffer.from(answer.bytes).reverse() }),
    ],
    [
      'a list without one of its files',
      asIs,
      (answer) => ({ ...answer, body: answer.body.replace(/<li><span><bdi.*?<\/li>/s, '') }),
    ],
    [
      'text that a session takes with it',
      asIs,
      (answer) => ({ ...answer, body: answer.body.replace(/<textarea hidden.*?<\/textarea>/s, '') }),
    ],
    [
      'a page without a policy',
      asIs,
      (answer) => ({ ...answer, headers: { ...answer.headers, 'content-security-policy': '' } }),
    ],
  ]
  for (const [what, asked, answered] of cases) {
    const { violations } = await runPagesCampaign({
      requests: 1_000,
      seed: 1,
      spoil: (world) => ({ ...world, send: async (request) => answered(await world.send(asked(request))) }),
    })
    t.comment(violations[0]?.split('\n')[0])
    t.equal(violations.length, 1, what)
  }
})

function asIs<T>(value: T): T {
  return value
}

/** A form that is sent in parts, or one that is not. */
function withoutVersion(body: Request['body']): Buffer {
  const text = Buffer.from(body ?? '').toString('latin1')
  return Buffer.from(text.replace(/(version=|name="version"\r\n\r\n)\w+/, '$1'), 'latin1')
}

function withoutOrigin(request: Request): Request {
  const { origin: _, 'sec-fetch-site': __, ...headers } = request.headers ?? {}
  return { ...request, headers }
}
