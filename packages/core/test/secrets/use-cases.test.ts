import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t from 'tap'
import type { Ports } from '../../src/storage/ports.ts'
import type { SecretStore } from '../../src/secrets/secret-store.ts'
import { createSecrets, type SecretsOptions } from '../../src/secrets/slice.ts'
import * as useCases from '../../src/secrets/use-cases.ts'
import { uploaded } from '../files.ts'
import { all, createWorld } from '../world.ts'

const policy = { noteMaxBytes: 1_000 }

/** The methods that the type of the ports requires, as `port.method`. */
const required = [
  ...new Set(Object.values(useCases).flatMap((each): readonly string[] => each.needs)),
].filter((need) => !need.startsWith('policy.'))

/** Ports that have only the required methods, without one if it is named; what is called is recorded. */
function onlyRequired(ports: Ports, calls: string[] = [], without?: string): SecretsOptions['ports'] {
  const only: Record<string, Record<string, unknown>> = {}
  for (const name of required) {
    if (name === without) continue
    const [port = '', method = ''] = name.split('.')
    const from = ports[port as keyof Ports] as object
    only[port] ??= {}
    only[port][method] = (...given: unknown[]): unknown => {
      calls.push(name)
      return (Reflect.get(from, method) as (...given: unknown[]) => unknown).apply(from, given)
    }
  }
  return only as unknown as SecretsOptions['ports']
}

t.test('createSecrets works with the methods that it asks for, and calls each of them', async (t) => {
  const { deps, sotto, accountId, folderId } = await createWorld()
  expectOk(await sotto.setDisplayName({ accountId, displayName: 'Ann' }))
  // The first write meets a key that another process has retired.
  let refusals = 1
  const insert: SecretStore['insert'] = (...row) =>
    refusals-- > 0 ? errAsync({ code: 'key_retired' }) : deps.secrets.insert(...row)
  const calls: string[] = []
  const ports = onlyRequired({ ...deps, secrets: { ...deps.secrets, insert } }, calls)
  const secrets = createSecrets({ ports, policy })

  const fields = { accountId, folderId, label: 'Router', note: 'correct horse' }
  expectOk(await secrets.checkNewSecret(fields))
  const upload = await uploaded({ sotto, accountId }, ['a'])
  const { id, link } = expectOk(await secrets.createSecret({ ...fields, openLimit: 1, upload }))
  t.equal(expectOk(await secrets.getSecret({ accountId, id })).label, 'Router')
  t.equal((await all(secrets.listSecrets({ accountId }))).length, 1)
  const { token } = link
  t.equal(expectOk(await secrets.previewLink({ token })).passwordRequired, false)
  t.match(expectOk(await secrets.openSecret({ token })), { note: 'correct horse', from: 'Ann' })
  expectErr(await secrets.openSecret({ token }), 'link_not_found')

  t.strictSame([...new Set(calls)].toSorted(), required.toSorted())
})

t.test('createSecrets throws a TypeError that names the method that is missing', async (t) => {
  const { deps } = await createWorld()
  for (const name of required) {
    const ports = onlyRequired(deps, [], name)
    t.throws(() => createSecrets({ ports, policy }), new TypeError(`ports.${name} is missing`))
  }
  const { links: _, ...withoutLinks } = onlyRequired(deps)
  t.throws(
    () => createSecrets({ ports: withoutLinks as SecretsOptions['ports'], policy }),
    new TypeError('ports.links.find is missing'),
  )
})

t.test(
  'a call checks the names and types of its input, unless its program is compiled against them',
  async (t) => {
    const { deps: ports, accountId } = await createWorld()
    const wrong = { accountId, id: 'none', more: 1 } as { readonly accountId: string; readonly id: string }
    expectErr(await createSecrets({ ports, policy }).getSecret(wrong), 'fields_invalid')
    const unchecked = createSecrets({ ports, policy, checksInputs: false })
    expectErr(await unchecked.getSecret(wrong), 'secret_not_found')
    const list = { accountId, more: 1 } as { readonly accountId: string }
    t.match(await createSecrets({ ports, policy }).listSecrets(list).next(), {
      value: { error: { code: 'fields_invalid' } },
    })
    t.equal((await all(unchecked.listSecrets(list))).length, 0)
  },
)
