import t from 'tap'
import { startApi, type Api } from '../support/api.ts'

const valid = (api: Api) => ({ label: 'Label', note: 'note', folder_id: api.folderId })
const errorsOf = async (api: Api, body: unknown) => {
  const answer = await api.call('POST', '/api/secret', body)
  t.equal(answer.statusCode, 400)
  return answer.json<{ errors?: Record<string, string[]> }>().errors
}

// Promise (The JSON API): One 400 lists every invalid field
t.test('one answer lists every invalid field', async (t) => {
  const api = await startApi(t)
  t.same(
    await errorsOf(api, {
      label: '',
      note: 5,
      folder_id: 'x',
      open_limit: -1,
      notify: 'yes',
      password: '',
      pasword: 'p',
    }),
    {
      label: ['must not be empty'],
      note: ['must be a string'],
      folder_id: ['is not the id of a folder of yours'],
      open_limit: ['must be a whole number from 0 to 1000000'],
      notify: ['must be true or false'],
      password: ['must not be empty'],
      pasword: ['is not a known field'],
    },
  )
  t.same(await errorsOf(api, {}), {
    label: ['is required'],
    note: ['is required'],
    folder_id: ['is required'],
  })
})

// Promise (The JSON API): Nothing is converted
t.test('nothing is converted: null and other types are refused, for every field', async (t) => {
  const api = await startApi(t, { perMinute: 1_000, perDay: 10_000 })
  const wrong = {
    label: [null, 1, true, [], {}],
    note: [null, 1, false, ['a']],
    folder_id: [null, 0, {}],
    open_limit: [null, '3', true, false, 2.5, [], '', [3]],
    notify: [null, 0, 1, 'true', ''],
    password: [null, 0, false, {}],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const errors = await errorsOf(api, { ...valid(api), [name]: value })
      t.same(Object.keys(errors ?? {}), [name], `${name}: ${JSON.stringify(value)}`)
      t.match(errors?.[name]?.[0], /^must be/)
    }
  }
  t.same(
    Object.keys((await errorsOf(api, '{"open_limit":1e400}')) ?? {}).includes('open_limit'),
    true,
    'not a number',
  )
})

t.test('bounds are exact', async (t) => {
  const api = await startApi(t, { noteMaxBytes: 100, perMinute: 1_000 })
  const within = {
    label: ['x', 'x'.repeat(255), '😀'.repeat(255), 'é'.repeat(255)],
    note: ['x', 'x'.repeat(100), '€'.repeat(33), '😀'.repeat(25), '\u0001\t\r\n', '\ufeff'],
    open_limit: [0, 1, 1_000_000],
    password: ['x', 'x'.repeat(1_024), '😀'.repeat(256), ' '],
  }
  const beyond = {
    label: [
      '',
      'x'.repeat(256),
      '😀'.repeat(256),
      'a\nb',
      '\u007f',
      '\u0085',
      '\u0000',
      '\ud800',
      'a\udc00b',
    ],
    note: ['', 'x'.repeat(101), '€'.repeat(34), 'a\u0000b', '\ud83d'],
    open_limit: [-1, 1_000_001, 1e300],
    password: ['', 'x'.repeat(1_025), '😀'.repeat(257), '\u0000', '\udfff'],
  }
  for (const [name, values] of Object.entries(within)) {
    for (const value of values) {
      const { statusCode } = await api.call('POST', '/api/secret', { ...valid(api), [name]: value })
      t.equal(statusCode, 201, `${name}: ${JSON.stringify(value).slice(0, 30)}`)
    }
  }
  for (const [name, values] of Object.entries(beyond)) {
    for (const value of values) {
      t.same(
        Object.keys((await errorsOf(api, { ...valid(api), [name]: value })) ?? {}),
        [name],
        `${name}: ${JSON.stringify(value).slice(0, 30)}`,
      )
    }
  }
})

// Promise (The JSON API): The client cannot set an expiry
t.test('an unknown field is named only if its name can contain nothing confidential', async (t) => {
  const api = await startApi(t)
  for (const name of ['pasword', 'a', '_', 'constructor', 'x'.repeat(32)]) {
    t.same(await errorsOf(api, { ...valid(api), [name]: 1 }), { [name]: ['is not a known field'] }, name)
  }
  for (const name of ['', 'Password', 'a1', 'a-b', 'x'.repeat(33), 'geheim!', 'toString', '\ud800']) {
    t.equal(await errorsOf(api, { ...valid(api), [name]: 1 }), undefined, name)
  }
  t.same(await errorsOf(api, { ...valid(api), Secret: 1, other: 1 }), { other: ['is not a known field'] })
})

t.test('a body that is not an object is refused', async (t) => {
  const api = await startApi(t)
  for (const body of ['[]', '[{}]', 'null', '"x"', '3', 'true'])
    t.equal(await errorsOf(api, body), undefined, body)
})

// Promise (The JSON API): Errors never echo input
t.test('an answer never repeats what was sent', async (t) => {
  const api = await startApi(t)
  const marker = 'Zx9confidential'
  const bodies = [
    { ...valid(api), label: `${marker}\n` },
    { ...valid(api), [marker]: marker },
    { ...valid(api), folder_id: marker, open_limit: marker },
    `{"label":"${marker}`,
    `"${marker}"`,
  ]
  for (const body of bodies) {
    const answer = await api.call('POST', '/api/secret', body)
    t.equal(answer.statusCode, 400)
    t.notMatch(answer.body + JSON.stringify(answer.headers), new RegExp(marker, 'i'))
  }
  t.notMatch(api.logLines.join(''), new RegExp(marker, 'i'))
})
