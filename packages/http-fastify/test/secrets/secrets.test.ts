import type { Scope, StoredSecret } from '@sotto/core'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import t from 'tap'
import { comparable, quotaOf, startApi, type Api } from '../support/api.ts'

const valid = (api: Api) => ({ label: 'Label', note: 'line\nline', folder_id: api.folderId })
const monthMicros = 2_592_000 * 1_000_000

t.test('GET /secrets', async (t) => {
  // Promise (The JSON API): A client can list its shareable secrets together with their links
  t.test('lists shareable secrets with their links, the newest link first, and no drafts', async (t) => {
    const api = await startApi(t, { linkBaseUrl: 'http://localhost:3000' })
    const first = await api.makeSecret(api.accountId, api.folderId, { label: 'first' })
    api.clock.advance(1)
    const second = await api.makeSecret(api.accountId, api.folderId, { label: 'second', password: 'p' })
    await api.makeDraft(api.accountId, api.folderId)
    await api.makeSecret(...(await stranger(api)))
    const { data } = (await api.call('GET', '/api/secrets')).json<{
      data: { id: string; link: { url: string } }[]
    }>()
    t.same(
      data.map(({ id }) => id),
      [second.id, first.id],
    )
    t.equal(data[0]?.link.url, `http://localhost:3000/${second.link.token}`)
  })
})

t.test('GET /secret/{id}', async (t) => {
  // Promise (The JSON API): A client can fetch one secret
  t.test('returns a secret without note and password', async (t) => {
    const api = await startApi(t)
    const { id } = await api.makeSecret(api.accountId, api.folderId, {
      note: 'confidential',
      password: 'hidden',
    })
    const answer = await api.call('GET', `/api/secret/${id}`)
    t.equal(answer.statusCode, 200)
    t.notMatch(answer.body, /confidential|hidden|note|password/)
    t.same(
      (await api.call('GET', `/api/secret/${id.toUpperCase()}`)).json(),
      answer.json(),
      'in upper case too',
    )
  })
})

for (const method of ['GET', 'DELETE']) {
  t.test(`${method} /secret/{id}, refused`, async (t) => {
    // Promise (The JSON API): Unknown, malformed, expired, a draft's and another account's secret are one 404
    t.test('unknown, malformed and expired ids, a draft’s and another account’s are identical', async (t) => {
      const api = await startApi(t, { perMinute: 1_000 })
      const expired = await api.makeSecret(api.accountId, api.folderId)
      api.clock.advance(monthMicros)
      const draft = await api.makeDraft(api.accountId, api.folderId)
      const theirs = await api.makeSecret(...(await stranger(api)))
      const unknown = '01936f31-02b4-7e0f-8a61-5b9c3d7e1f20'
      const malformed = [
        'x',
        '%zz',
        '%ff',
        '%2F',
        '..%2f..',
        'x'.repeat(2_000),
        `${unknown}0`,
        `{${unknown}}`,
        'null',
        '%00',
      ]
      const ids = [
        unknown,
        expired.id,
        draft.id,
        theirs.id,
        '00000000-0000-0000-0000-000000000000',
        ...malformed,
      ]
      const [first, ...others] = await Promise.all(ids.map((id) => api.call(method, `/api/secret/${id}`)))
      t.equal(first?.statusCode, 404)
      for (const [at, other] of others.entries())
        t.same(comparable(other), comparable(first!), String(ids[at + 1]).slice(0, 40))
    })

    // Promise (The JSON API): Unknown, malformed, expired, a draft's and another account's secret are one 404: and take the same path
    t.test('an unknown and a malformed id take the same path through the store', async (t) => {
      const asked: string[] = []
      const api = await startApi(t, {
        replace: ({ secrets }) => ({
          secrets: {
            ...secrets,
            find: (account, id, nowMicros) => (asked.push(id), secrets.find(account, id, nowMicros)),
          },
        }),
      })
      for (const id of ['x', '%zz', '01936f31-02b4-7e0f-8a61-5b9c3d7e1f20'])
        await api.call(method, `/api/secret/${id}`)
      t.equal(asked.length, 3)
    })

    t.test('a corrupted row is a 500, and only the log says why', async (t) => {
      const api = await startApi(t, {
        replace: ({ secrets }) => ({
          secrets: {
            ...secrets,
            find: (...given) => secrets.find(...given).map((row) => row && { ...row, openLimit: 7 }),
          },
        }),
      })
      const { id } = await api.makeSecret(api.accountId, api.folderId)
      const answer = await api.call(method, `/api/secret/${id}`)
      t.same(answer.json(), { success: false, version: '1.0', message: 'Server error.' })
      t.match(api.logLines.join(''), /data_damaged/)
    })
  })
}

t.test('DELETE /secret/{id}', async (t) => {
  // Promise (The JSON API): DELETE of a secret answers with the secret as it was, and destroys it
  t.test('answers with the secret as it was, and destroys it: link, note, list and count', async (t) => {
    const api = await startApi(t)
    const { id, link } = await api.makeSecret(api.accountId, api.folderId, { openLimit: 3 })
    const got = await api.call('GET', `/api/secret/${id}`)
    const answer = await api.call('DELETE', `/api/secret/${id.toUpperCase()}`)
    t.equal(answer.statusCode, 200)
    t.same(answer.json(), got.json())
    t.same(quotaOf(answer), ['60', '58'], 'it is counted')
    expectErr(await api.sotto.openSecret({ token: link.token }), 'link_not_found')
    t.equal(api.memory.data.secrets.size, 0)
    t.same((await api.call('GET', '/api/secrets')).json<{ data: unknown[] }>().data, [])
    t.match((await api.call('GET', '/api/folders')).json(), { data: [{ secrets_count: 0 }] })
    t.match(
      api.logLines.map((line) => JSON.parse(line) as object),
      [{ audit: true, event: 'secret_destroyed', account_id: api.accountId, secret_id: id }],
    )
    const again = await api.call('DELETE', `/api/secret/${id}`)
    t.same(
      comparable(again),
      comparable(await api.call('GET', `/api/secret/${id}`)),
      'the second time: like GET',
    )
    t.equal(again.statusCode, 404)
  })

  t.test('needs the scope write', async (t) => {
    const api = await startApi(t)
    const { id } = await api.makeSecret(api.accountId, api.folderId)
    const authorization = async (...scopes: Scope[]) =>
      `Bearer ${await api.makeToken(api.accountId, { scopes })}`
    const reader = { authorization: await authorization('read') }
    t.equal((await api.call('DELETE', `/api/secret/${id}`, undefined, reader)).statusCode, 403)
    t.equal((await api.call('DELETE', '/api/secret/x', undefined, reader)).statusCode, 403, 'whatever the id')
    t.equal(api.memory.data.secrets.size, 1)
    const writer = { authorization: await authorization('write') }
    t.equal((await api.call('DELETE', `/api/secret/${id}`, undefined, writer)).statusCode, 200)
  })

  t.test(
    'takes headers of a body without one, as the API’s clients send them, and ignores a body',
    async (t) => {
      const api = await startApi(t)
      for (const [body, headers] of [
        [undefined, { 'content-type': 'application/json' }],
        ['{', {}],
        ['x', { 'content-type': 'text/plain' }],
      ] as const) {
        const { id } = await api.makeSecret(api.accountId, api.folderId)
        t.equal((await api.call('DELETE', `/api/secret/${id}`, body, headers)).statusCode, 200)
      }
    },
  )

  t.test('a failure is 503 or 500, and destroys nothing', async (t) => {
    for (const [code, status] of [
      ['storage_unavailable', 503],
      ['storage_failed', 500],
    ] as const) {
      const api = await startApi(t, {
        replace: ({ secrets }) => ({
          secrets: failing(secrets, { erase: { code, reason: 'full', detail: 'd' } as never }),
        }),
      })
      const { id } = await api.makeSecret(api.accountId, api.folderId)
      t.equal((await api.call('DELETE', `/api/secret/${id}`)).statusCode, status)
      t.equal((await api.call('GET', `/api/secret/${id}`)).statusCode, 200)
      t.notMatch(api.logLines.join(''), 'secret_destroyed')
    }
  })
})

t.test('POST /secret', async (t) => {
  // Promise (The JSON API): A client can create a secret inside a folder and receives its link
  t.test('answers 201 with a Location that leads to the secret', async (t) => {
    const api = await startApi(t)
    const answer = await api.call('POST', '/api/secret', valid(api))
    const { data } = answer.json<{ data: Record<string, string> & { link: Record<string, string> } }>()
    t.equal(answer.statusCode, 201)
    t.equal(answer.headers.location, `/api/secret/${data['id'] ?? ''}`)
    t.same((await api.call('GET', answer.headers.location!)).json(), answer.json())
    t.equal(data.link['created_at'], data['created_at'])
    t.equal(Date.parse(data['expires_at']!) - Date.parse(data.link['created_at']!), 2_592_000_000)
    t.equal(data['created_at']!.slice(-4), data['expires_at']!.slice(-4), 'to the microsecond')
  })

  // Promise (The JSON API): label, note, folder_id are required; open_limit, notify, password are not
  t.test('stores what the fields contain', async (t) => {
    const api = await startApi(t)
    const stored = (fields: object) => createAndFind(api, { ...valid(api), ...fields })
    t.match(await stored({}), { openLimit: undefined, notify: false, hasPassword: false }, 'the defaults')
    t.match(await stored({ open_limit: 3, notify: true, password: 'p' }), {
      openLimit: 3,
      notify: true,
      hasPassword: true,
    })
    t.match(await stored({ folder_id: api.folderId.toUpperCase() }), { folderId: api.folderId })
  })

  t.test(
    'an open limit of 0 is no limit, and integers may be written in every way that JSON has',
    async (t) => {
      const api = await startApi(t)
      for (const [written, openLimit] of [
        ['3.0', 3],
        ['1e2', 100],
        ['0', undefined],
        ['-0', undefined],
        ['0e3', undefined],
        ['1000000', 1_000_000],
      ] as const) {
        const body = JSON.stringify(valid(api)).replace('}', `,"open_limit":${written}}`)
        t.equal((await createAndFind(api, body)).openLimit, openLimit, written)
      }
    },
  )

  t.test('a write that fails is 503 or 500 and stores nothing', async (t) => {
    for (const [code, status] of [
      ['storage_unavailable', 503],
      ['storage_failed', 500],
    ] as const) {
      const api = await startApi(t, {
        replace: ({ secrets }) => ({
          secrets: failing(secrets, { insert: { code, reason: 'full', detail: 'd' } as never }),
        }),
      })
      const answer = await api.call('POST', '/api/secret', valid(api))
      t.equal(answer.statusCode, status)
      t.same(quotaOf(answer), ['60', '59'])
      t.equal(api.memory.data.secrets.size, 0)
    }
  })

  t.test('too many passwords to hash: 503 with Retry-After', async (t) => {
    const api = await startApi(t, {
      replace: ({ secretCipher }) => ({
        secretCipher: failing(secretCipher, { encryptSecret: { code: 'hasher_busy' } }),
      }),
    })
    const answer = await api.call('POST', '/api/secret', { ...valid(api), password: 'p' })
    t.equal(answer.statusCode, 503)
    t.match(answer.headers['retry-after'], /^[1-9]/)
  })
})

/** The row of a secret that was created through the API. */
async function createAndFind(api: Api, body: unknown): Promise<StoredSecret> {
  const answer = await api.call('POST', '/api/secret', body)
  const { id } = answer.json<{ data: { id: string } }>().data
  return expectOk(await api.memory.secrets.find(api.accountId, id, 0))!
}

/** Another account with a folder. */
async function stranger(api: Api): Promise<[string, string]> {
  const accountId = await api.makeAccount()
  return [accountId, await api.makeFolder(accountId)]
}
