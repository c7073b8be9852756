import { randomInt } from 'node:crypto'
import t from 'tap'
import { runOpenApiCampaign } from '../../campaigns/openapi/campaign.ts'
import type { Document } from '../../campaigns/openapi/requests.ts'

// Promise (The JSON API): Requests that are generated from it get the documented answers
t.test('requests that are made from /openapi.json are answered as it says', async (t) => {
  const seed = randomInt(2 ** 31)
  t.comment(`npm run campaign openapi -- --requests 500 --seed ${seed}`)
  const { figures, violations } = await runOpenApiCampaign({ requests: 500, seed })
  t.strictSame(violations, [], `--seed ${seed}`)
  t.equal(figures['requests'], 500)
  for (const kind of ['accepted, 200', 'accepted, 201', 'refused, 400', 'refused, 401', 'refused, 404'])
    t.ok(figures[kind], kind)
})

t.test('a document that is wrong is noticed', async (t) => {
  const wrong: Readonly<Record<string, (text: string) => string>> = {
    'a status that it lacks': (text) => text.replaceAll('"404":', '"418":'),
    'a field that answers lack': (text) => text.replaceAll('"drafts_count"', '"draft_count"'),
    'a label that is refused': (text) => text.replace('"maxLength":255', '"minLength":256,"maxLength":299'),
    'a body that is accepted': (text) => text.replaceAll('"open_limit"', '"open_limits"'),
    'files that are refused': (text) => text.replace('"maxItems":10', '"maxItems":11'),
    'a form that it lacks': (text) => text.replace('"file":{"type":"array"', '"files":{"type":"array"'),
    'a header of files that they lack': (text) =>
      text.replaceAll('"content-disposition":', '"content-type-2":'),
    'a range that is no answer': (text) => text.replaceAll('"206":', '"207":'),
    'a header that answers lack': (text) => text.replaceAll('"www-authenticate":', '"www-authenticated":'),
  }
  for (const [name, change] of Object.entries(wrong)) {
    const edit = (document: Document) => JSON.parse(change(JSON.stringify(document))) as Document
    const { violations } = await runOpenApiCampaign({ requests: 2_000, seed: 1, edit })
    t.not(violations.length, 0, name)
  }
})
