import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { createLookup } from '../src/lookup.ts'
import { createSender, requestTo, resolverOf } from './support/messages.ts'
import { startReceiver } from './support/receiver.ts'

const names = {
  'private.example': ['10.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.2'],
  'several.example': ['10.0.0.1', '169.254.169.254', 'fd00::1', '::1'],
  'link-local.example': ['fe80::1%eth0'],
  'odd.example': ['not an address', '127.1'],
}

// Promise (Webhooks): No message goes to an address that is not public, however it is written: or to a name with such addresses
t.test('refuses names whose addresses are not public, by https and http', async (t) => {
  for (const name of Object.keys(names)) {
    const { resolveName } = resolverOf(names)
    const sender = createSender(t, { allow: ['127.0.0.1'], resolveName })
    for (const protocol of ['https', 'http']) {
      t.match(expectErr(await sender.send(requestTo(`${protocol}://${name}/`))), {
        verdict: 'retry',
        reason: 'address not allowed',
      })
    }
  }
})

t.test('http goes only to addresses that a range names', async (t) => {
  const { resolveName } = resolverOf({ 'public.example': ['1.1.1.1'] })
  const sent = await createSender(t, { resolveName }).send(requestTo('http://public.example/'))
  t.match(expectErr(sent), { reason: 'address not allowed' })
})

t.test('connects to the allowed addresses of a name and to no other', async (t) => {
  const { port, requests } = await startReceiver(t)
  const { resolveName } = resolverOf({ 'mixed.example': ['127.0.0.2', '::1', '127.0.0.1', '10.0.0.1'] })
  const sender = createSender(t, { allow: ['127.0.0.1'], resolveName })
  expectOk(await sender.send(requestTo(`http://mixed.example:${port}/`)))
  t.equal(requests[0]?.headers.host, `mixed.example:${port}`)
})

t.test('passes on only the addresses that may be connected to', async (t) => {
  const { resolveName } = resolverOf({ 'mixed.example': ['10.0.0.1', '1.1.1.1', '2606:4700::1111'] })
  const lookup = createLookup(resolveName, (address) => !address.startsWith('10.'))
  const all = await new Promise((resolve) =>
    lookup('mixed.example', { all: true }, (_, found) => resolve(found)),
  )
  t.strictSame(all, [
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ])
  const one = await new Promise((resolve) => lookup('mixed.example', {}, (...args) => resolve(args)))
  t.strictSame(one, [null, '1.1.1.1', 4])
})

// Promise (Webhooks): No message goes to an address that is not public, however it is written: or to a name that changes its address after
// the check
t.test('a name that changes after it was checked is connected to as it was checked', async (t) => {
  const { port, requests } = await startReceiver(t)
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  let asked = 0
  const resolveName = (): Promise<string[]> => Promise.resolve(answers[asked++] ?? [])
  const sender = createSender(t, { resolveName })
  const url = `http://changes.example:${port}/`
  expectOk(await sender.send(requestTo(url)))
  t.equal(asked, 1, 'one look-up for the check and the connection')
  sender.close()
  t.match(expectErr(await sender.send(requestTo(url))), { reason: 'address not allowed' })
  t.equal(asked, 2, 'a new connection is checked again')
  t.equal(requests.length, 1)
})

t.test('localhost is loopback, whatever a name server says', async (t) => {
  const { port, requests } = await startReceiver(t)
  const { asked, resolveName } = resolverOf({ localhost: ['1.1.1.1'] })
  const sender = createSender(t, { resolveName })
  expectOk(await sender.send(requestTo(`http://localhost:${port}/`)))
  t.equal(requests.length, 1)
  t.strictSame(asked, [])
})

t.test('a name that nobody knows fails', async (t) => {
  const { resolveName } = resolverOf({})
  const sent = await createSender(t, { resolveName }).send(requestTo('https://gone.example/'))
  t.strictSame(expectErr(sent), { code: 'send_failed', verdict: 'retry', reason: 'name not found' })
})

t.test('a resolver that fails is no more than a failure', async (t) => {
  const resolveName = (): Promise<string[]> => Promise.reject(new Error('private words'))
  const sent = await createSender(t, { resolveName }).send(requestTo('https://odd.example/'))
  t.strictSame(expectErr(sent), { code: 'send_failed', verdict: 'retry', reason: 'not sent' })
})

t.test('a look-up that hangs ends after 10 seconds', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { promise: isAsked, resolve } = Promise.withResolvers<unknown>()
  const resolveName = (): Promise<string[]> => {
    resolve(undefined)
    return new Promise(() => undefined)
  }
  let reason: string | undefined
  const sent = createSender(t, { resolveName })
    .send(requestTo('https://hangs.example/'))
    .then((result) => (reason = expectErr(result).reason))
  await isAsked
  mock.timers.tick(9_499)
  await setImmediate()
  t.equal(reason, undefined)
  mock.timers.tick(1)
  await sent
  t.equal(reason, 'timeout')
})
