import t from 'tap'
import fc from 'fast-check'
import { accountNameText, parseAccountName, type AccountName } from '../../src/accounts/account.ts'

const anyText = fc.string({ minLength: 1, unit: 'grapheme' })
const anyName: fc.Arbitrary<AccountName> = fc.oneof(
  anyText.map((email) => ({ email, externalId: undefined })),
  anyText.map((externalId) => ({ email: undefined, externalId })),
)

t.test('a name is spelled with its kind', (t) => {
  t.equal(accountNameText({ email: 'ada@example.org', externalId: undefined }), 'email:ada@example.org')
  t.equal(accountNameText({ email: undefined, externalId: 'user-1' }), 'external:user-1')
  t.end()
})

t.test('every name is read as it was written', (t) => {
  fc.assert(
    fc.property(anyName, (name) => {
      const read = parseAccountName(accountNameText(name))
      return read?.email === name.email && read?.externalId === name.externalId
    }),
  )
  t.pass('property holds')
  t.end()
})

t.test('two different names never have the same text', (t) => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      const email = accountNameText({ email: one, externalId: undefined })
      return (
        email !== accountNameText({ email: undefined, externalId: other }) &&
        (one === other || email !== accountNameText({ email: other, externalId: undefined }))
      )
    }),
  )
  t.pass('property holds')
  t.end()
})

t.test('a text without a known kind or without a name is not a name', (t) => {
  for (const text of [
    '',
    'ada@example.org',
    'email:',
    'external:',
    'phone:1',
    ' email:a@b',
    'Email:a@b',
    ':',
  ]) {
    t.equal(parseAccountName(text), undefined, JSON.stringify(text))
  }
  t.strictSame(parseAccountName('email:external:a\nb'), { email: 'external:a\nb', externalId: undefined })
  t.end()
})
