import t from 'tap'
import type { Upload } from '../../src/files/secret-file.ts'
import { idempotencyKeyErrors, requestDigests } from '../../src/secrets/idempotency.ts'
import { createWorld, newSecret } from '../world.ts'

t.test('an idempotency key is 1 to 255 visible ASCII characters', (t) => {
  for (const key of ['k', '!', '~', '"8e03978e-40d5"', 'k'.repeat(255)]) {
    t.strictSame(idempotencyKeyErrors(key), [], key)
  }
  for (const key of ['', ' ', 'a b', 'a\tb', 'a\n', 'é', '\u007f', 'k'.repeat(256)]) {
    t.strictSame(
      idempotencyKeyErrors(key),
      [{ field: 'idempotencyKey', rule: 'not_visible_ascii', limit: 255 }],
      JSON.stringify(key),
    )
  }
  t.end()
})

t.test('requests have the same digest exactly if they ask for the same with the same key', async (t) => {
  const world = await createWorld()
  const first = { ...newSecret(world), idempotencyKey: 'k' }
  const digestOf = (change: object) =>
    Buffer.from(requestDigests(world.deps.digests, { ...first, ...change })[0]!.request).toString('hex')
  t.equal(digestOf({ notify: false, folderId: world.folderId.toUpperCase() }), digestOf({}))
  const changes = [
    ...[{ label: 'x' }, { note: 'x' }, { folderId: 'x' }, { openLimit: 1 }, { notify: true }],
    ...[{ password: 'x' }, { lifetimeSeconds: 3_600 }, { idempotencyKey: 'x' }, { accountId: 'x' }],
  ]
  const all = [{}, ...changes].map(digestOf)
  t.equal(new Set(all).size, all.length)
})

t.test('the digests are of the texts that the vectors of docs/encryption.md have', (t) => {
  const texts: unknown[] = []
  const keyedDigests = (...of: [string, string]): [Uint8Array] => {
    texts.push(of)
    return [new Uint8Array(32)]
  }
  const [accountId, idempotencyKey, folderId] = [
    '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    '8e03978e-40d5-43e8-bc93-6894a57f9324',
    '019A2B3C-4D5E-7F60-8A1B-2C3D4E5F6072',
  ]
  const asked = {
    folderId,
    label: 'Jürgen’s key',
    note: '4711#\n',
    openLimit: 3,
    lifetimeSeconds: 3_600 as const,
  }
  const request = { accountId, idempotencyKey, ...asked }
  const digestsOf = (upload?: Upload) =>
    requestDigests({ keyedDigests }, { ...request, upload, showsFiles: true })
  digestsOf()
  const values = '"019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6072","Jürgen’s key","4711#\\n",3,false,null,3600'
  const keyText = ['idempotency-key', `${accountId}/${idempotencyKey}`]
  const withoutFiles = [['idempotent-request', `["${accountId}","${idempotencyKey}",${values}]`], keyText]
  t.strictSame(texts.splice(0), withoutFiles)
  const file = { id: 'f', key: 'k', name: 'a.pdf', size: 3, type: 'application/pdf' }
  const upload = {
    accountId,
    secretId: 's',
    files: [file],
    digests: ['00ff'],
  }
  digestsOf({ ...upload, files: [], digests: [] })
  t.strictSame(texts.splice(0), withoutFiles, 'an upload without files')
  digestsOf(upload)
  const files = '[["a.pdf",3,"application/pdf","00ff"]],true'
  t.strictSame(texts, [
    ['idempotent-request', `["${accountId}","${idempotencyKey}",${values},${files}]`],
    keyText,
  ])
  t.end()
})
