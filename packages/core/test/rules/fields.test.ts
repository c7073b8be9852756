import t from 'tap'
import {
  emailFault,
  labelFault,
  newSecretFaults,
  normalizeEmail,
  parseScopes,
  tokenLifetimeFault,
} from '../../src/rules/fields.ts'

const noteMaxBytes = 100

t.test('a secret within all bounds has no fault', (t) => {
  for (const openLimit of [0, 1, 1_000_000, undefined]) {
    const secret = { label: 'x', note: 'y', folderId: 'any', openLimit, notify: true, password: 'p' }
    t.strictSame(newSecretFaults(secret, noteMaxBytes), [])
  }
  t.end()
})

t.test('every field at fault is named at once', (t) => {
  const faults = newSecretFaults({ label: '', note: '', openLimit: -1, password: '' }, noteMaxBytes)
  t.strictSame(
    faults.map(({ field, rule }) => `${field} ${rule}`),
    ['label empty', 'note empty', 'openLimit out_of_range', 'password empty'],
  )
  t.end()
})

t.test('a label has 1 to 255 code points and no control characters', (t) => {
  t.equal(labelFault('😀'.repeat(255)), undefined)
  t.strictSame(labelFault('😀'.repeat(256)), { rule: 'too_long', limit: 255 })
  t.strictSame(labelFault('a\nb'), { rule: 'control_character' })
  t.strictSame(labelFault('a\u0085b'), { rule: 'control_character' })
  t.strictSame(labelFault('a\ud800'), { rule: 'lone_surrogate' })
  t.equal(labelFault(' '), undefined, 'what it says is the owner’s business')
  t.end()
})

t.test('a note is measured in bytes of UTF-8', (t) => {
  const faultsOf = (note: string) => newSecretFaults({ note }, noteMaxBytes).map(({ rule }) => rule)
  t.strictSame(faultsOf('a'.repeat(100)), [])
  t.strictSame(faultsOf('a'.repeat(101)), ['too_long'])
  t.strictSame(faultsOf('€'.repeat(33)), [], '99 bytes')
  t.strictSame(faultsOf('€'.repeat(34)), ['too_long'], '102 bytes')
  t.strictSame(faultsOf('😀'.repeat(25)), [], '100 bytes')
  t.strictSame(faultsOf('a\0'), ['nul_character'])
  t.strictSame(faultsOf('\udc00'), ['lone_surrogate'])
  t.strictSame(faultsOf('a\r\n\t\u001b'), [], 'control characters but NUL may stand in a note')
  t.end()
})

t.test('a password is measured in bytes of UTF-8', (t) => {
  const faultsOf = (password: string) => newSecretFaults({ password }, noteMaxBytes)
  t.strictSame(faultsOf('ä'.repeat(512)), [])
  t.strictSame(faultsOf('ä'.repeat(513)), [{ field: 'password', rule: 'too_long', limit: 1024 }])
  t.strictSame(
    faultsOf('\0').map(({ rule }) => rule),
    ['nul_character'],
  )
  t.end()
})

t.test('an open limit is a whole number from 0 to 1,000,000', (t) => {
  for (const openLimit of [-1, 0.5, 1_000_001, NaN, Infinity]) {
    const faults = newSecretFaults({ openLimit }, noteMaxBytes)
    t.strictSame(faults, [{ field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 }], String(openLimit))
  }
  t.end()
})

t.test('an email is known in one spelling', (t) => {
  t.equal(normalizeEmail('  Ada@Example.ORG '), 'ada@example.org')
  t.equal(normalizeEmail('ju\u0308rgen@x'), 'j\u00fcrgen@x')
  t.equal(emailFault('owner@localhost'), undefined)
  for (const wrong of ['', 'a', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b\n', 'a\u0000@b']) {
    t.strictSame(emailFault(wrong), { rule: 'not_an_email' }, JSON.stringify(wrong))
  }
  t.strictSame(emailFault(`${'a'.repeat(254)}@b`), { rule: 'too_long', limit: 254 })
  t.end()
})

t.test('scopes are named once each, and unknown ones are refused', (t) => {
  t.strictSame(parseScopes(['write', 'read', 'write']), ['read', 'write'])
  t.strictSame(parseScopes(['read']), ['read'])
  t.equal(parseScopes([]), undefined)
  t.equal(parseScopes(['read', 'admin']), undefined)
  t.end()
})

t.test('a token lives from a second to ten years', (t) => {
  t.equal(tokenLifetimeFault(1), undefined)
  t.equal(tokenLifetimeFault(3_650 * 86_400), undefined)
  for (const wrong of [0, -1, 1.5, 3_650 * 86_400 + 1, NaN]) t.ok(tokenLifetimeFault(wrong), String(wrong))
  t.end()
})
