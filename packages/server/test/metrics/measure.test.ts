import type { FullSotto } from '@sotto/identity'
import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync, okAsync, type ResultAsync } from 'neverthrow'
import { Registry, type Counter } from 'prom-client'
import t from 'tap'
import { createInstruments } from '../../src/metrics/instruments.ts'
import { measureSotto } from '../../src/metrics/measure.ts'

/** The labels of everything that was counted, with their numbers. */
async function countedBy<T extends string>(counter: Counter<T>) {
  const { values } = await counter.get()
  return values.filter(({ value }) => value > 0).map(({ labels, value }) => ({ ...labels, value }))
}

/** A measured use-case that always has this answer. */
function measured(name: keyof FullSotto, answer: ResultAsync<unknown, unknown>) {
  const instruments = createInstruments(new Registry())
  const sotto = measureSotto({ [name]: () => answer } as unknown as FullSotto, instruments)
  const call = sotto[name] as (input: unknown) => ResultAsync<unknown, unknown>
  return { instruments, call: () => call({ bucket: { kind: 'pages' } }) }
}

const refusals = {
  openSecret: 'link_locked',
  answerRequest: 'too_many_answers',
  authenticate: 'token_invalid',
  signIn: 'sign_in_wrong',
  ensureReauthentication: 'password_wrong',
  reauthenticateWithPasskey: 'sign_in_locked',
  createSecret: 'fields_invalid',
  createSecretOnce: 'idempotency_key_reused',
} as const

for (const [name, code] of Object.entries(refusals)) {
  t.test(`a refusal by ${name} is counted with its reason`, async (t) => {
    const { instruments, call } = measured(name as keyof typeof refusals, errAsync({ code }))
    t.strictSame(expectErr(await call()), { code })
    t.strictSame(await countedBy(instruments.refusals), [{ reason: code, value: 1 }])
    t.strictSame([await countedBy(instruments.created), await countedBy(instruments.opens)], [[], []])
  })
}

const creates = [
  ['createSecret', {}, 'create'],
  ['createSecretOnce', { isReplayed: false }, 'create'],
  ['createSecretOnce', { isReplayed: true }, undefined],
  ['shareDraft', {}, 'share'],
] as const

for (const [name, value, by] of creates) {
  t.test(`${name} with ${JSON.stringify(value)} counts ${by ?? 'nothing'}`, async (t) => {
    const { instruments, call } = measured(name, okAsync(value))
    t.equal(expectOk(await call()), value)
    t.strictSame(await countedBy(instruments.created), by === undefined ? [] : [{ by, value: 1 }])
    t.strictSame(await countedBy(instruments.refusals), [])
  })
}

t.test('an answer to a request is counted once', async (t) => {
  for (const isRepeated of [false, true]) {
    const { instruments, call } = measured('answerRequest', okAsync({ receivedAtMicros: 1, isRepeated }))
    expectOk(await call())
    t.strictSame(await countedBy(instruments.answers), isRepeated ? [] : [{ value: 1 }])
  }
})

t.test('what exceeds a quota is counted by its kind', async (t) => {
  const { instruments, call } = measured('takeQuota', errAsync({ code: 'quota_exceeded' }))
  t.ok((await call()).isErr())
  t.strictSame(await countedBy(instruments.quotaRefusals), [{ quota: 'pages', value: 1 }])
  for (const name of ['testMail', 'testWebhook'] as const) {
    const tests = measured(name, errAsync({ code: 'quota_exceeded' }))
    t.ok((await tests.call()).isErr())
    t.strictSame(await countedBy(tests.instruments.quotaRefusals), [{ quota: 'tests', value: 1 }], name)
    const failed = measured(name, errAsync({ code: 'send_failed' }))
    t.ok((await failed.call()).isErr())
    t.strictSame(await countedBy(failed.instruments.quotaRefusals), [], name)
  }
})

t.test('a meter that fails changes no answer', async (t) => {
  const broken = {
    value: () => {
      throw new Error('the meter is broken')
    },
  }
  for (const [answer, name] of [
    [okAsync('opened'), 'opens'],
    [errAsync({ code: 'link_locked' }), 'refusals'],
  ] as const) {
    const { instruments, call } = measured('openSecret', answer)
    const calls = t.capture(instruments[name], 'inc', broken.value)
    t.strictSame(await call(), await answer)
    t.equal(calls().length, 1)
  }
})
