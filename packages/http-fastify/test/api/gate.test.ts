import { type FullPorts, makeAccessToken } from '@sotto/identity'
import type { StorageError, Uuid } from '@sotto/core'
import { expectOk, failing } from '@sotto/test-kit'
import t from 'tap'
import { comparable, quotaOf, startApi, type Api } from '../support/api.ts'

const challenge = 'Bearer realm="sotto"'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('tokens', async (t) => {
  // Promise (The JSON API): Every request must carry a bearer access token
  t.test('no token is 401 with the challenge alone', async (t) => {
    const api = await startApi(t)
    const answer = await api.inject({ url: '/api/folders' })
    t.equal(answer.statusCode, 401)
    t.equal(answer.headers['www-authenticate'], challenge)
    t.same(
      comparable(await api.inject({ url: '/api/folders', headers: { authorization: 'Basic eDp5' } })),
      comparable(answer),
    )
  })

  // Promise (The JSON API): Malformed, unknown, revoked, expired tokens and disabled accounts are one 401
  t.test('every token that is not valid gets the same 401 with invalid_token', async (t) => {
    const api = await startApi(t, { perMinute: 100 })
    const answers = []
    for (const authorization of await invalidAuthorizations(api)) {
      answers.push(
        await api.inject({ url: '/api/folders', headers: { authorization: authorization as string } }),
      )
    }
    t.equal(answers[0]?.statusCode, 401)
    t.equal(answers[0]?.headers['www-authenticate'], `${challenge}, error="invalid_token"`)
    for (const [at, answer] of answers.entries())
      t.same(comparable(answer), comparable(answers[0]!), String(at))
  })

  t.test('every token that is not valid is looked up once, the malformed ones too', async (t) => {
    let lookUps = 0
    const api = await startApi(t, {
      perMinute: 100,
      replace: ({ accessTokens }) => ({
        accessTokens: {
          ...accessTokens,
          findUsable: (...given) => ((lookUps += 1), accessTokens.findUsable(...given)),
        },
      }),
    })
    for (const authorization of await invalidAuthorizations(api)) {
      lookUps = 0
      await api.inject({ url: '/api/folders', headers: { authorization: authorization as string } })
      t.equal(lookUps, 1, String(authorization))
    }
  })

  t.test('the scheme is case-insensitive', async (t) => {
    const api = await startApi(t)
    const answer = await api.inject({
      url: '/api/folders',
      headers: { authorization: `bEARER ${api.token}` },
    })
    t.equal(answer.statusCode, 200)
  })

  // Promise (The JSON API): Data access is per account
  t.test('a token reads only the data of its account', async (t) => {
    const api = await startApi(t)
    const stranger = await api.makeToken(await api.makeAccount())
    await api.makeSecret(api.accountId, api.folderId)
    const answer = await api.inject({ url: '/api/secrets', headers: bearer(stranger) })
    t.same(answer.json(), { success: true, version: '1.0', data: [] })
  })
})

t.test('scopes', async (t) => {
  t.test('reading needs the scope read and everything else write, whatever the path', async (t) => {
    const api = await startApi(t, { perMinute: 100 })
    const reader = await api.makeToken(api.accountId, { scopes: ['read'] })
    const writer = await api.makeToken(api.accountId, { scopes: ['write'] })
    const status = async (token: string, method: string, url: string) =>
      (await api.inject({ method: method, url, headers: bearer(token) })).statusCode
    for (const method of ['GET', 'HEAD']) {
      t.equal(await status(reader, method, '/api/folders'), 200, `${method} with read`)
      t.equal(await status(writer, method, '/api/folders'), 403, `${method} with write`)
    }
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']) {
      t.equal(await status(reader, method, '/api/folders'), 405, `${method} with read`)
      t.equal(await status(writer, method, '/api/folders'), 403, `${method} with write`)
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'MKCOL', 'CONNECT']) {
      t.equal(await status(reader, method, '/api/unknown'), 403, `${method} with read`)
      t.equal(await status(writer, method, '/api/unknown'), 404, `${method} with write`)
    }
  })

  // Promise (The JSON API): A token without the scope is 403
  t.test('a missing scope is 403 with insufficient_scope', async (t) => {
    const api = await startApi(t)
    const reader = await api.makeToken(api.accountId, { scopes: ['read'] })
    const answer = await api.inject({ method: 'POST', url: '/api/secret', headers: bearer(reader) })
    t.equal(answer.statusCode, 403)
    t.equal(answer.headers['www-authenticate'], `${challenge}, error="insufficient_scope"`)
  })
})

t.test('a port that throws against its contract is a plain 500', async (t) => {
  const broken = (): never => {
    throw new Error('confidential')
  }
  for (const method of ['take', 'peek'] as const) {
    const api = await startApi(t, {
      replace: ({ quota }) => ({
        quota: { ...quota, take: broken, ...(method === 'peek' && { peek: broken }) },
      }),
    })
    const answer = await api.call('GET', '/api/folders')
    t.equal(answer.statusCode, 500)
    t.same(answer.json(), { success: false, version: '1.0', message: 'Server error.' })
    t.same(quotaOf(answer), ['60', method === 'peek' ? '0' : '60'])
  }
})

t.test('order', async (t) => {
  t.test('URL length comes before Host, Host before token', async (t) => {
    const api = await startApi(t)
    const long = `/api/folders?${'x'.repeat(2_100)}`
    t.equal((await api.inject({ url: long, headers: { host: 'a b' } })).statusCode, 414)
    t.equal((await api.inject({ url: '/api/folders', headers: { host: 'a b' } })).statusCode, 400)
  })

  // Promise (The JSON API): Checks come in a fixed order
  t.test('quota comes before 401, 401 before 404 and 405', async (t) => {
    const api = await startApi(t, { perMinute: 2 })
    t.equal((await api.inject({ url: '/api/unknown' })).statusCode, 401)
    t.equal((await api.inject({ method: 'DELETE', url: '/api/folders' })).statusCode, 401)
    t.equal((await api.inject({ url: '/api/unknown' })).statusCode, 429)
  })

  t.test(
    'scope comes before route, route before media type, media type before size, size before JSON',
    async (t) => {
      const api = await startApi(t, { noteMaxBytes: 16 })
      const reader = await api.makeToken(api.accountId, { scopes: ['read'] })
      const large = 'x'.repeat(20_000)
      const post = async (url: string, token: string, type: string, payload: string) =>
        (
          await api.inject({
            method: 'POST',
            url,
            headers: { ...bearer(token), 'content-type': type },
            payload,
          })
        ).statusCode
      t.equal(await post('/api/folders', reader, 'text/plain', large), 403)
      t.equal(await post('/api/folders', api.token, 'text/plain', large), 405)
      t.equal(await post('/api/nothing', api.token, 'text/plain', large), 404)
      t.equal(await post('/api/secret', api.token, 'text/plain', large), 415)
      t.equal(await post('/api/secret', api.token, 'application/json', large), 413)
      t.equal(await post('/api/secret', api.token, 'application/json', 'x'), 400)
    },
  )
})

t.test('hosts', async (t) => {
  const two = { baseUrl: 'https://api.example.org', linkBaseUrl: 'https://s.example.org' }
  const ask = (api: Api, host: string) =>
    api.inject({ url: '/api/folders', headers: { ...bearer(api.token), host } })

  t.test(
    'with two hosts the API is on that of the base URL; on any other it is a plain 404 that is not counted',
    async (t) => {
      const api = await startApi(t, two)
      for (const host of ['s.example.org', 'other.example.org', 'api.example.org:444']) {
        const answer = await ask(api, host)
        t.equal(answer.statusCode, 404, host)
        t.same(quotaOf(answer), ['60', '60'], host)
      }
      t.same(quotaOf(await ask(api, 'API.example.org')), ['60', '59'])
    },
  )
})

t.test('a store that cannot find the token is 503 or 500, and nothing is counted', async (t) => {
  const broken = async (error: StorageError) => {
    const api = await startApi(t, {
      replace: ({ accessTokens }) => ({ accessTokens: failing(accessTokens, { findUsable: error }) }),
    })
    return { api, answer: await api.call('GET', '/api/folders') }
  }
  const busy = await broken({ code: 'storage_unavailable', reason: 'busy' })
  t.equal(busy.answer.statusCode, 503)
  t.same(quotaOf(busy.answer), ['60', '60'])
  const failed = await broken({ code: 'storage_failed', detail: 'the disk is on fire' })
  t.equal(failed.answer.statusCode, 500)
  t.same(failed.answer.json(), { success: false, version: '1.0', message: 'Server error.' })
  t.match(failed.api.logLines.join(''), /the disk is on fire/, 'it is logged')
})

async function invalidAuthorizations(api: Api): Promise<(string | string[])[]> {
  const [valid, revoked, expired] = [
    await api.makeToken(api.accountId),
    await api.makeToken(api.accountId),
    await api.makeToken(api.accountId, { expiresInSeconds: 1 }),
  ]
  const disabled = await api.makeAccount()
  const ofDisabled = await api.makeToken(disabled)
  expectOk(await api.sotto.disableAccount({ accountId: disabled }))
  expectOk(await api.sotto.revokeAccessToken({ accountId: api.accountId, id: await idOf(api, revoked) }))
  api.clock.advance(2_000_000)
  const unknown = makeAccessToken((count) => new Uint8Array(count).fill(7))
  return [
    ...[unknown, revoked, expired, ofDisabled, 'x', `${valid}x`].map((token) => `Bearer ${token}`),
    'Bearer',
    `Bearer ${valid} ${valid}`,
    [`Bearer ${valid}`, `Bearer ${valid}`],
  ]
}

async function idOf(api: Api, token: string): Promise<Uuid> {
  const { accessTokens, digests }: FullPorts = api.memory
  return expectOk(await accessTokens.findUsable(digests.accessTokenDigest(token), 0))!.id
}
