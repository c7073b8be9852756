import type { FullPorts } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import { ResultAsync } from 'neverthrow'
import t from 'tap'
import { comparable, quotaOf, startApi, type Api } from '../support/api.ts'

const key = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' }
const valid = (api: Api) => ({ label: 'Label', note: 'note', folder_id: api.folderId })
const post = (api: Api, change: object = {}, headers: Record<string, string | string[]> = key) =>
  api.call('POST', '/api/secret', { ...valid(api), ...change }, headers)
const count = async (api: Api) =>
  (await api.call('GET', '/api/secrets')).json<{ data: unknown[] }>().data.length

// Promise (Clients): The same Idempotency-Key and body get the first answer again, byte for byte
t.test('the same key and body get the first answer again, byte for byte', async (t) => {
  const api = await startApi(t)
  const change = { password: 'p', open_limit: 1 }
  const first = await post(api, change)
  t.equal(first.statusCode, 201)
  t.notOk('idempotent-replayed' in first.headers)
  const { url } = first.json<{ data: { link: { url: string } } }>().data.link
  const token = url.slice(-43)
  for (const happens of [
    async () => api.clock.advance(1_000_000),
    async () => expectOk(await api.sotto.openSecret({ token, password: 'p' })),
    async () => expectOk(await api.sotto.rotateKeys()),
  ]) {
    await happens()
    const again = await post(api, change)
    t.equal(again.headers['idempotent-replayed'], 'true')
    delete again.headers['idempotent-replayed']
    t.strictSame(comparable(again), comparable(first))
  }
  t.strictSame(quotaOf(await post(api, change)), ['60', '55'])
  t.equal(await count(api), 1)
})

// Promise (Clients): The same Idempotency-Key and body get the first answer again, byte for byte: with another body 422
t.test('the same key with another body is 422', async (t) => {
  const api = await startApi(t)
  await post(api)
  for (const change of [{ note: 'other' }, { password: 'p' }, { open_limit: 3 }]) {
    const answer = await post(api, change)
    t.equal(answer.statusCode, 422)
    t.notOk('errors' in answer.json())
  }
  t.equal((await post(api, { open_limit: 0, notify: false })).statusCode, 201, 'defaults are the same body')
  t.equal(await count(api), 1)
})

// Promise (Clients): The same Idempotency-Key and body get the first answer again, byte for byte: at the same time 409, and one secret
t.test('one of simultaneous requests creates the secret, the others get 409 with Retry-After', async (t) => {
  const times = 6
  const all = Promise.withResolvers<undefined>()
  let asked = 0
  // None finds a claim before all have asked.
  const replace = ({ idempotencyKeys }: FullPorts) => ({
    idempotencyKeys: {
      ...idempotencyKeys,
      find: (...of: Parameters<FullPorts['idempotencyKeys']['find']>) => {
        if ((asked += 1) === times) all.resolve(undefined)
        const found = idempotencyKeys.find(...of)
        return new ResultAsync(all.promise.then(() => found))
      },
    },
  })
  const api = await startApi(t, { replace })
  const answers = await Promise.all(Array.from({ length: times }, () => post(api)))
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409, 409, 409, 409])
  for (const { headers } of answers.filter(({ statusCode }) => statusCode === 409)) {
    t.equal(headers['retry-after'], '1')
  }
  t.equal(await count(api), 1)
  t.equal((await post(api)).headers['idempotent-replayed'], 'true', 'sent again')
})

// Promise (Clients): The same Idempotency-Key and body get the first answer again, byte for byte: a failed request is not stored
t.test('a request that failed is not remembered', async (t) => {
  const api = await startApi(t)
  t.equal((await post(api, { label: '' })).statusCode, 400)
  t.equal((await post(api, { label: 5 })).statusCode, 400)
  const { statusCode, headers } = await post(api)
  t.strictSame([statusCode, headers['idempotent-replayed']], [201, undefined])
})

t.test('a key that is not 1 to 255 visible ASCII characters is a 400 that names it', async (t) => {
  const api = await startApi(t)
  const errors = { idempotency_key: ['must be 1 to 255 visible ASCII characters'] }
  for (const value of ['', 'a b', 'k'.repeat(256), 'é', ['a', 'b']]) {
    const answer = await post(api, {}, { 'idempotency-key': value })
    t.equal(answer.statusCode, 400)
    t.strictSame(answer.json<{ errors: unknown }>().errors, errors, JSON.stringify(value))
  }
  const both = await post(api, { label: 5 }, { 'idempotency-key': '' })
  t.strictSame(both.json<{ errors: unknown }>().errors, { label: ['must be a string'], ...errors })
  t.equal((await post(api, {}, { 'idempotency-key': '~'.repeat(255) })).statusCode, 201)
})

// Promise (Clients): A destroyed secret is not created again by its key
t.test('a secret that was destroyed since is 410, and is not created again', async (t) => {
  const api = await startApi(t)
  const { id } = (await post(api)).json<{ data: { id: string } }>().data
  expectOk(await api.sotto.destroySecret({ accountId: api.accountId, id }))
  t.equal((await post(api)).statusCode, 410)
  t.equal(await count(api), 0)
})
