import { createMemoryPorts, expectErr } from '@sotto/test-kit'
import t from 'tap'
import { defaultPolicy, type Policy } from '../src/policy.ts'
import type { Ports } from '../src/storage/ports.ts'
import { createSotto } from '../src/sotto.ts'
import { refusal } from './refusal.ts'
import { createWorld, newSecret } from './world.ts'

const { quota } = defaultPolicy

const policies: readonly (readonly [name: string, policy: unknown, message: string])[] = [
  ['none', null, 'policy.noteMaxBytes'],
  ['an empty one', {}, 'policy.noteMaxBytes'],
  ['no bound of notes', { quota }, 'policy.noteMaxBytes'],
  ['a bound of 0', { quota, noteMaxBytes: 0 }, 'policy.noteMaxBytes'],
  ['half a byte', { quota, noteMaxBytes: 1.5 }, 'policy.noteMaxBytes'],
  ['a text', { quota, noteMaxBytes: '65536' }, 'policy.noteMaxBytes'],
  ['no quota', { noteMaxBytes: 1 }, 'policy.quota.perMinute'],
  ['no calls a day', { noteMaxBytes: 1, quota: { perMinute: 1 } }, 'policy.quota.perDay'],
  ['no addresses', { noteMaxBytes: 1, quota: { ...quota, addressesMax: 0 } }, 'policy.quota.addressesMax'],
  ...[-1, 1.5, '1', undefined].map((maxBytes): [string, unknown, string] => [
    `files of ${String(maxBytes)} bytes`,
    { ...defaultPolicy, files: { maxBytes, accountMaxBytes: 1 } },
    'policy.files.maxBytes',
  ]),
  ['no sum of files', { ...defaultPolicy, files: { maxBytes: 0 } }, 'policy.files.accountMaxBytes'],
  ['no bounds of files', { ...defaultPolicy, files: null }, 'policy.files.maxBytes'],
]

for (const [name, policy, field] of policies) {
  t.test(`createSotto throws a TypeError for a policy that is not valid: ${name}`, (t) => {
    const ports = createMemoryPorts()
    const wanted = new TypeError(`${field} must be a positive whole number`)
    t.throws(() => createSotto({ ports, policy: policy as Policy }), wanted)
    t.end()
  })
}

t.test('createSotto takes a policy without files', (t) => {
  const ports = createMemoryPorts()
  const files = { maxBytes: 0, accountMaxBytes: 1 }
  t.type(createSotto({ ports, policy: { ...defaultPolicy, files } }), 'object')
  t.type(createSotto({ ports, policy: { ...defaultPolicy, files: undefined } }), 'object')
  t.end()
})

/** What no use-case needs, the senders, which may be absent, and what other packages need. */
const notNeeded: readonly string[] = [
  ...['instanceId', 'upkeep', 'erasure', 'close', 'mailSender', 'webhookSender'],
  ...['accessTokens', 'passwords', 'identities', 'passkeys', 'usedTokens', 'sessions', 'invitations'],
  ...['emailChanges', 'signIns', 'passwordHasher', 'passkeyVerifier', 'identityProvider'],
]

t.test('createSotto throws a TypeError for each port that is missing', (t) => {
  const { data: _, ...ports } = createMemoryPorts()
  const names = Object.keys(ports).filter((name) => !notNeeded.includes(name))
  t.ok(names.length >= 24, `${String(names.length)} ports are left out, one after the other`)
  for (const name of names) {
    const message = new RegExp(`^ports\\.${name}\\.\\w+ is missing$`)
    t.throws(
      () => createSotto({ ports: { ...ports, [name]: undefined } }),
      { name: 'TypeError', message },
      name,
    )
  }
  t.throws(() => createSotto({} as { ports: Ports }), new TypeError('ports.folders.owns is missing'))
  t.end()
})

t.test('createSotto takes no senders where nothing is sent, but no sender without its methods', (t) => {
  const ports = createMemoryPorts()
  t.type(
    createSotto({
      ports: { ...ports, mailSender: undefined, webhookSender: undefined },
    }),
    'object',
  )
  const broken = { ...ports, webhookSender: { checkUrl: ports.webhookSender.checkUrl } }
  t.throws(
    () => createSotto({ ports: broken as unknown as Ports }),
    new TypeError('ports.webhookSender.send is missing'),
  )
  t.end()
})

t.test('every use-case refuses a name that it does not know, and an input that is no object', async (t) => {
  const { sotto } = await createWorld()
  const { policy: _, getQueueState: _queue, fitKeyRing: _fit, keyStatus: _status, ...withInput } = sotto
  const { addKey: _add, checkActiveKey: _check, ...some } = withInput
  const { examineFiles: _examine, ...others } = some
  for (const [name, useCase] of Object.entries(others)) {
    t.strictSame(await refusal(useCase, { surprise: 1 }), { field: 'surprise', rule: 'unknown_name' }, name)
    t.strictSame(await refusal(useCase, 'text'), { field: 'input', rule: 'wrong_type' }, name)
  }
})

t.test('what the compiler would refuse is refused, and changes nothing', async (t) => {
  const world = await createWorld()
  const { createSecret } = world.sotto
  const inputs: readonly (readonly [field: string, rule: string, input: object])[] = [
    ['opens', 'unknown_name', { opens: 3 }],
    ['notify', 'wrong_type', { notify: 'yes' }],
    ['openLimit', 'wrong_type', { openLimit: '1' }],
    ['note', 'wrong_type', { note: 7 }],
    ['lifetimeSeconds', 'wrong_type', { lifetimeSeconds: '5' }],
  ]
  for (const [field, rule, input] of inputs) {
    const { errors } = expectErr(await createSecret({ ...newSecret(world), ...input }), 'fields_invalid')
    t.strictSame(errors, [{ field, rule }])
  }
  t.equal(world.deps.data.secrets.size, 0)
})
