import { createFakeCipher, createFakeKeyRing, createMemoryStorage, createSamples } from '@sotto/test-kit'
import t from 'tap'

t.test('storage and ciphers fit each other as they come', async (t) => {
  const { textCipher, keyRing } = createFakeCipher()
  const { accounts, keys } = createMemoryStorage()
  const make = createSamples(1)
  const id = make.uuid()
  const place = { column: 'account.email', accountId: id, rowId: id } as const
  const account = make.account({ id, email: textCipher.encryptText(place, 'ada@example.org') })
  t.ok((await accounts.insert(account, [make.emailIndex()])).isOk())
  const [key] = (await keys.list())._unsafeUnwrap()
  t.strictSame(key?.checkValue, keyRing.checkValue(keyRing.activeKid()))
})

t.test('two ciphers on one key file read each other', async (t) => {
  const { file } = createFakeKeyRing()
  const [one, other] = [file, file].map((each) => createFakeCipher({ keyRing: createFakeKeyRing(each) }))
  const place = { column: 'folder.label', accountId: 'a', rowId: 'b' } as const
  const encrypted = one!.textCipher.encryptText(place, 'text')
  t.equal(other!.textCipher.decryptText(place, encrypted)._unsafeUnwrap(), 'text')
})
