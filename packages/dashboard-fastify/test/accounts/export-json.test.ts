import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { createExportWriter } from '../../src/accounts/export-json.ts'
import { createWorld } from '../../../http-fastify/test/support/world.ts'

t.test('what comes to an end after any kind is a whole document with every list', async (t) => {
  const { sotto, ...world } = createWorld()
  const accountId = await world.makeAccount()
  const account = { kind: 'account', item: expectOk(await sotto.getAccount({ accountId })) } as const
  const folderId = await world.makeFolder(accountId)
  const folder = {
    kind: 'folder',
    item: expectOk(await sotto.getFolder({ accountId, id: folderId })),
  } as const
  const empty = {
    folders: [],
    drafts: [],
    secrets: [],
    files: [],
    requests: [],
    access_tokens: [],
    sessions: [],
    identities: [],
    passkeys: [],
    webhooks: [],
  }
  for (const { items, folders } of [
    { items: [], folders: [] },
    { items: [folder], folders: [{ id: folderId }] },
    { items: [folder, folder], folders: [{ id: folderId }, { id: folderId }] },
  ]) {
    const writer = createExportWriter('http://localhost:3000')
    const text = [writer.write([account]), ...items.map((item) => writer.write([item])), writer.end()].join(
      '',
    )
    const content = JSON.parse(text) as typeof empty
    t.same(Object.keys(content), ['account', ...Object.keys(empty)])
    t.match(content, { ...empty, account: { id: accountId }, folders })
    t.equal(content.folders.length, folders.length)
  }
})
