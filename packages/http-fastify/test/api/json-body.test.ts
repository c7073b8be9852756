import t from 'tap'
import { comparable, quotaOf, startApi, type Api } from '../support/api.ts'

const valid = (api: Api) => JSON.stringify({ label: 'Label', note: 'note', folder_id: api.folderId })

// Promise (The JSON API): The body must be valid JSON
t.test('everything that is not strict JSON gets the same 400, which names no field', async (t) => {
  const api = await startApi(t)
  const good = valid(api)
  const bodies = [
    '',
    ' ',
    '{',
    'null x',
    good.replace('}', ',"label":"again"}'),
    good.replace('}', ',"\\u006cabel":"again"}'),
    good.replace('}', ',"__proto__":{"password":"x"}}'),
    good.replace('}', ',"x":{"__proto__":1}}'),
    good.replace('}', ',}'),
    good.replaceAll('"', "'"),
    `${good}\u0000`,
  ]
  const answers = []
  for (const body of bodies) answers.push(await api.call('POST', '/api/secret', body))
  t.equal(answers[0]?.statusCode, 400)
  t.notOk(answers[0]?.json<{ errors?: unknown }>().errors)
  for (const [at, answer] of answers.entries())
    t.same(comparable(answer), comparable(answers[0]!), String(at))
  t.equal(
    (await api.call('GET', '/api/secrets')).json<{ data: unknown[] }>().data.length,
    0,
    'nothing was stored',
  )
})

// Promise (The JSON API): A body in another encoding is 400, and the message says which
t.test('the message says that a body has a byte order mark, or is in UTF-16 or Latin-1', async (t) => {
  const api = await startApi(t)
  const text = JSON.stringify({ label: 'Gruß', note: 'note', folder_id: api.folderId })
  const bodies: readonly (readonly [body: Buffer, message: RegExp])[] = [
    [Buffer.from(`\ufeff${text}`), /byte order mark/],
    [Buffer.from(text, 'utf16le'), /UTF-16/],
    [Buffer.from(text, 'utf16le').swap16(), /UTF-16/],
    [Buffer.from(`\ufeff${text}`, 'utf16le'), /UTF-16/],
    [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), /UTF-16/],
    [Buffer.from(text, 'latin1'), /Latin-1/],
    [Buffer.from(text.slice(0, -1)), /not valid JSON/],
  ]
  for (const [body, message] of bodies) {
    const answer = await api.call('POST', '/api/secret', body)
    t.equal(answer.statusCode, 400)
    t.match(answer.json<{ message: string }>().message, message)
  }
  t.equal((await api.call('POST', '/api/secret', Buffer.from(text))).statusCode, 201)
})

t.test('keys that could change a prototype are unknown fields and change nothing', async (t) => {
  const api = await startApi(t)
  const body = valid(api).replace('}', ',"constructor":{"prototype":{"polluted":true}},"prototype":1}')
  const answer = await api.call('POST', '/api/secret', body)
  t.equal(answer.statusCode, 400)
  t.same(Object.keys(answer.json<{ errors: object }>().errors), ['constructor', 'prototype'])
  t.equal(({} as { polluted?: unknown }).polluted, undefined)
})

t.test('a legal note fits in every escaping; one byte above the body limit does not', async (t) => {
  const noteMaxBytes = 4_096
  const api = await startApi(t, { noteMaxBytes })
  const limit = 6 * noteMaxBytes + 16 * 1024
  const longest = {
    label: 'l',
    note: '\u0001'.repeat(noteMaxBytes),
    folder_id: api.folderId,
    password: '\u0001'.repeat(1_024),
  }
  const text = JSON.stringify(longest)
  t.equal((await api.call('POST', '/api/secret', text)).statusCode, 201)
  t.equal(
    (await api.call('POST', '/api/secret', text + ' '.repeat(limit - text.length))).statusCode,
    201,
    'at the limit',
  )
  const above = await api.call('POST', '/api/secret', text + ' '.repeat(limit - text.length + 1))
  t.equal(above.statusCode, 413)
  t.same(quotaOf(above), ['60', '57'])
  const longNote = await api.call('POST', '/api/secret', { ...longest, note: 'x'.repeat(noteMaxBytes + 1) })
  t.equal(longNote.statusCode, 400, 'a longer note within the limit of the body')
})
