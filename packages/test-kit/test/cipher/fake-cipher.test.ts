import {
  createFakeCipher,
  createFakeKeyRing,
  createMemoryStorage,
  createSamples,
  expectOk,
} from '@sotto/test-kit'
import t from 'tap'

t.test('a new memory storage knows the key of a new fake cipher', async (t) => {
  const { textCipher, keyRing } = createFakeCipher()
  const { accounts, keys } = createMemoryStorage()
  const make = createSamples(1)
  const id = make.uuid()
  const place = { column: 'account.name', accountId: id, rowId: id } as const
  const account = make.account({ id, name: textCipher.encryptText(place, 'email:ada@example.org') })
  expectOk(await accounts.insert(account, [make.nameIndex()]))
  const [key] = expectOk(await keys.list())
  t.strictSame(key?.checkValue, keyRing.checkValue(keyRing.activeKid()))
})

t.test('two ciphers on one key file can decrypt what the other one encrypted', async (t) => {
  const { file } = createFakeKeyRing()
  const [one, other] = [file, file].map((each) =>
    createFakeCipher({ keyRing: createFakeKeyRing({ file: each }) }),
  )
  const place = { column: 'folder.label', accountId: 'a', rowId: 'b' } as const
  const encrypted = one!.textCipher.encryptText(place, 'text')
  t.equal(expectOk(other!.textCipher.decryptText(place, encrypted)), 'text')
})
