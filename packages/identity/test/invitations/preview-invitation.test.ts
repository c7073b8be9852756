import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { previewInvitation } from '../../src/invitations/preview-invitation.ts'
import { addWebhook, email } from '../../../core/test/world.ts'
import { choosePassword, createWorld } from '../world.ts'

const gone = { code: 'welcome_not_found' }

t.test('a preview shows whose link it is and what for, as often as it is asked', async (t) => {
  const { deps, sotto } = await createWorld()
  const { token, ...invitation } = expectOk(await sotto.resetAccount({ email }))
  t.strictSame(invitation.removedWebhookHosts, [])
  for (let nr = 0; nr < 3; nr += 1)
    t.strictSame(expectOk(await previewInvitation(deps, { token })), invitation)
})

t.test('a preview names the hosts of the webhooks that using the link removes, each once', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const hosts = ['hooks.example.org', 'chat.example.org:8443']
  for (const url of ['https://hooks.example.org/a', 'https://chat.example.org:8443/?key=1']) {
    await addWebhook(world, url)
  }
  await addWebhook(world, 'https://HOOKS.example.org/b')
  const previewOf = async (made: {
    readonly token: string
    readonly removedWebhookHosts: readonly string[]
  }) => {
    const { removedWebhookHosts } = expectOk(await previewInvitation(deps, made))
    t.strictSame(made.removedWebhookHosts, removedWebhookHosts, 'as the link was made')
    return removedWebhookHosts
  }
  t.strictSame(await previewOf(expectOk(await sotto.inviteAccount({ email }))), [], 'there is no password')
  t.strictSame(await previewOf(expectOk(await sotto.resetAccount({ email }))), hosts)
  await choosePassword(world)
  t.strictSame(await previewOf(expectOk(await sotto.inviteAccount({ email }))), hosts)
  const [first] = expectOk(await sotto.listWebhooks({ accountId })).items
  expectOk(await sotto.deleteWebhook({ accountId, id: first?.id ?? '' }))
  const made = expectOk(await sotto.resetAccount({ email }))
  t.strictSame(await previewOf(made), hosts.toReversed())
})

t.test('malformed, unknown and disabled give the same error', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { token } = expectOk(await sotto.resetAccount({ email }))
  const accounts = { ...deps.accounts, find: () => okAsync(undefined) }
  t.strictSame(expectErr(await previewInvitation({ ...deps, accounts }, { token })), gone, 'deleted just now')
  expectOk(await sotto.disableAccount({ accountId }))
  for (const other of ['', token.slice(1), 'A'.repeat(43), token]) {
    t.strictSame(expectErr(await previewInvitation(deps, { token: other })), gone)
  }
})
