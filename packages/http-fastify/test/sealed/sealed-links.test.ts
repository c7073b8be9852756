import t from 'tap'
import { formIdOf, startLinks, type Links } from '../support/links.ts'

const proof = '2jRM7SaoYIMez_tc_dRhoG_w-8eftAF4eU99ovALkkM'
const another = `A${proof.slice(1)}`
const message = 'The key of this link is missing or wrong. Nothing was opened.'

async function shareSealed(links: Links, fields: { openLimit?: number; password?: string } = {}) {
  const digest = Buffer.from(links.memory.digests.opaqueTokenDigest('sealed', proof)).toString('base64url')
  const note = `sotto-sealed-1.${digest}.${'A'.repeat(391)}`
  return { ...(await links.share({ note, ...fields })), note }
}

// Promise (Encrypted in the browser): Without the key of a link nothing is opened, and nothing is counted
t.test('a sealed link answers 403 to whoever has not its key, and counts nothing', async (t) => {
  const links = await startLinks(t)
  const { secret, path, note } = await shareSealed(links, { openLimit: 1, password: 'right' })
  const preview = await links.request('GET', path, { headers: { accept: 'application/json' } })
  t.match(preview.json(), { data: { sealed: true, password_required: true } })
  for (const body of [
    undefined,
    {},
    { proof: another },
    { password: 'right' },
    { password: 'wrong', proof: another },
  ]) {
    const answer = await links.openJson(path, body)
    t.equal(answer.statusCode, 403)
    t.equal(answer.json<{ message: string }>().message, message)
  }
  t.equal(links.opens(secret), 0)
  t.equal((await links.openJson(path, { proof })).statusCode, 401, 'the password is asked for next')
  const opened = await links.openJson(path, { proof, password: 'right' })
  t.match(opened.json(), { data: { note, sealed: true, opens_left: 0 } })
  t.equal(links.opens(secret), 1)
})

t.test(
  'a malformed proof is refused for every link, and a good one is ignored where none is asked for',
  async (t) => {
    const links = await startLinks(t)
    const { secret, path } = await links.share({ openLimit: 1 })
    for (const wrong of ['', 'x', `${proof}A`, 1, null])
      t.match(await links.openJson(path, { proof: wrong }), { statusCode: 400 }, String(wrong))
    t.match((await links.openJson(path, { proof: 'x' })).json(), {
      errors: { proof: ['must be 43 characters of base64url without padding'] },
    })
    t.equal(links.opens(secret), 0)
    const opened = await links.openJson(path, { proof })
    t.equal(opened.statusCode, 200)
    t.notOk('sealed' in opened.json<{ data: object }>().data)
  },
)

t.test('the form of a page has an empty proof for none', async (t) => {
  const links = await startLinks(t)
  const plain = await links.share()
  const formId = formIdOf(await links.visit(plain.path))
  t.equal((await links.submit(plain.path, { form_id: formId, proof: '' })).statusCode, 200)
  const { path, secret } = await shareSealed(links)
  const refused = await links.submit(path, { form_id: formIdOf(await links.visit(path)), proof: '' })
  t.equal(refused.statusCode, 403)
  t.match(refused.body, 'The key of this link is missing or wrong')
  t.equal(links.opens(secret), 0)
})
