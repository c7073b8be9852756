import t from 'tap'
import { quotaOf, startApi } from '../support/api.ts'

t.test('paths', async (t) => {
  t.test('every path under the prefix belongs to the API, and no other path', async (t) => {
    const api = await startApi(t)
    for (const url of [
      '/api',
      '/api/',
      '/api?x',
      '/api/folders/',
      '/api/folders/x',
      '/api//folders',
      '/api/FOLDERS',
      '/api/secret/',
      '/api/secret/a/b',
      '/api/folders%2F',
      '/api/folders;x',
      '/api/secrets.json',
    ]) {
      const answer = await api.call('GET', url)
      t.same(
        answer.json(),
        { success: false, version: '1.0', message: 'There is nothing at this path.' },
        url,
      )
      t.equal(answer.statusCode, 404, url)
      t.equal(answer.headers['x-ratelimit-limit'], '60', url)
    }
    for (const url of [
      '/x',
      '/apiary',
      '/API/folders',
      '//api/folders',
      '/api%2Ffolders',
      '/x/api/folders',
    ]) {
      const answer = await api.call('GET', url)
      t.equal(answer.statusCode, 404, url)
      t.notOk(answer.headers['x-ratelimit-limit'], url)
    }
  })

  // Promise (The JSON API): Unknown path 404, known path with another method 405 with Allow
  t.test('a known path with another method is 405 with Allow', async (t) => {
    const api = await startApi(t)
    const known = {
      '/api/folders': 'GET, HEAD',
      '/api/secrets': 'GET, HEAD',
      '/api/secret': 'POST',
      '/api/secret/x': 'DELETE, GET, HEAD',
    }
    const others = ['OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'M-SEARCH', 'GET', 'POST']
    for (const [url, allow] of Object.entries(known)) {
      for (const method of others.filter((name) => !allow.split(', ').includes(name))) {
        const answer = await api.call(method, url, ['PUT', 'PATCH'].includes(method) ? '{' : undefined)
        t.equal(answer.statusCode, 405, `${method} ${url}`)
        t.equal(answer.headers.allow, allow, `${method} ${url}`)
      }
    }
  })

  t.test('escaped letters in a path are decoded', async (t) => {
    const api = await startApi(t)
    t.equal(
      (await api.app.inject({ url: '/%61pi/%66olders', headers: { authorization: `Bearer ${api.token}` } }))
        .statusCode,
      200,
    )
    t.equal((await api.call('DELETE', '/api/%66olders')).statusCode, 405)
  })

  // Promise (The JSON API): HEAD is like GET, without the body
  t.test('HEAD is GET without the body', async (t) => {
    const api = await startApi(t)
    const { id } = await api.makeSecret(api.accountId, api.folderId)
    for (const url of [
      '/api/folders',
      '/api/secrets',
      `/api/secret/${id}`,
      '/api/secret/x',
      '/api/nothing',
    ]) {
      const [get, head] = [await api.call('GET', url), await api.call('HEAD', url)]
      t.equal(head.statusCode, get.statusCode, url)
      t.same(Object.keys(head.headers), Object.keys(get.headers), url)
      t.equal(head.headers['content-length'], get.headers['content-length'], url)
      t.equal(head.body, '', url)
      t.equal(Number(quotaOf(get)[1]) - Number(quotaOf(head)[1]), 1, `${url} is counted`)
    }
  })
})

t.test('every answer has the headers that protect it', async (t) => {
  const api = await startApi(t, { perMinute: 5 })
  const answers = [
    await api.call('GET', '/api/folders'),
    await api.inject({ url: '/api/folders' }),
    await api.call('GET', '/api/unknown'),
    await api.call('POST', '/api/secret', '{'),
    await api.inject({ url: '/api/folders', headers: { host: 'a b' } }),
    await api.inject({ url: '/healthz' }),
    await api.inject({ url: '/nothing' }),
  ]
  for (const { headers, statusCode } of answers) {
    t.match(
      headers,
      {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': /default-src 'none'/,
      },
      String(statusCode),
    )
  }
})

// Promise (The JSON API): Every response is JSON, unless there is a login page
t.test('every answer is JSON, whatever the Accept header', async (t) => {
  const api = await startApi(t)
  for (const accept of ['text/html', 'text/html,*/*;q=0.1', 'application/xml', 'nonsense']) {
    const answer = await api.inject({ url: '/api/folders', headers: { accept } })
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8', accept)
  }
})

t.test('logs contain nothing confidential', async (t) => {
  const confidential = ['Zx9label', 'Zx9note', 'Zx9password', 'Zx9unknown']
  const api = await startApi(t, {
    replace: ({ secrets }) => ({
      secrets: {
        ...secrets,
        insert: () => {
          throw new Error(`a defect that quotes ${confidential.join()}`)
        },
      },
    }),
  })
  const secret = {
    label: confidential[0],
    note: confidential[1],
    password: confidential[2],
    folder_id: api.folderId,
  }
  t.equal((await api.call('POST', '/api/secret', secret)).statusCode, 500)
  await api.call('POST', '/api/secret', { ...secret, [confidential[3]!]: 1 })
  await api.call('POST', '/api/secret', JSON.stringify(secret).slice(0, -1))
  await api.call('GET', `/api/secret/${confidential[3]}?${confidential[0]}`)
  api.app.log.error({ err: new Error(confidential[0]) }, 'x')
  const logged = api.logLines.join('')
  t.match(logged, /"type":"Error"/)
  t.match(logged, /api-routes\.test\.ts/, 'the log says where the defect is')
  for (const text of [...confidential, api.token, 'authorization'])
    t.notMatch(logged, new RegExp(text, 'i'), text)
})

t.test('successful requests are not logged', async (t) => {
  const api = await startApi(t)
  await api.call('GET', '/api/folders')
  await api.call('GET', '/api/unknown')
  t.same(api.logLines, [])
})
