import t from 'tap'
import { formIdOf, startLinks } from '../support/links.ts'
import { disposition, multipartBody, multipartType, type SentPart } from '../support/multipart.ts'

const key = `BA${'_-'.repeat(42)}A`
const sealed = `sotto-answer-1.${'A'.repeat(478)}`
const files = { maxBytes: 1_000, accountMaxBytes: 1_000_000 }
const json = { accept: 'application/json' }
const refusal = {
  success: false,
  message: 'Some fields are not valid.',
  errors: { note: ['must be encrypted with the key of this request, and not longer than any answer'] },
}

// Promise (Encrypted in the browser): A request with a key takes no text that the server can read
t.test('a request with a key says so, and answers 422 on the note to what is not sealed', async (t) => {
  const links = await startLinks(t, { files })
  const { path, request } = await links.ask({ key, takesFiles: true, answersAllowed: 5 })
  const preview = await links.request('GET', path, { headers: json })
  t.match(preview.json(), { data: { key, takes_files: true } })
  const part = (note: string): SentPart => [
    [disposition('answer'), 'Content-Type: application/json'],
    JSON.stringify({ note }),
  ]
  const file: SentPart = [disposition('file', 'plain.txt'), 'plain']
  const send = (note: string) =>
    links.request('POST', path, {
      headers: { ...json, 'content-type': multipartType },
      body: multipartBody([part(note), file]),
    })
  for (const note of ['canary', `${sealed}\n`, `${sealed}${'A'.repeat(100_000)}`]) {
    const answer = await links.openJson(path, { note })
    t.equal(answer.statusCode, 422)
    t.match(answer.json(), refusal)
    t.match(await send(note), { statusCode: 422 })
    const page = await links.submit(path, { form_id: formIdOf(await links.visit(path)), note })
    t.equal(page.statusCode, 422)
    t.match(page.body, 'was not encrypted in the browser')
  }
  t.equal(links.memory.data.counted.size, 0, 'no file was kept')
  t.equal((await links.openJson(path, { note: sealed })).statusCode, 201)
  t.match(await send(sealed), { statusCode: 201 })
  t.same(await links.drafts(), [sealed, sealed])
  t.equal(request.key, key)
})

t.test('a request without a key has no such field, and takes any text', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.ask({ answersAllowed: 2 })
  t.notOk('key' in (await links.request('GET', path, { headers: json })).json<{ data: object }>().data)
  t.equal((await links.openJson(path, { note: sealed })).statusCode, 201)
})
