import t from 'tap'
import fc from 'fast-check'
import { labelError, normalizePassword } from '../../src/shared/fields.ts'
import { emailError, normalizeEmail } from '../../src/accounts/email.ts'
import { newSecretErrors, passwordError } from '../../src/secrets/new-secret.ts'

const noteMaxBytes = 100

t.test('a secret within all bounds is valid', (t) => {
  for (const openLimit of [1, 1_000_000, undefined]) {
    const secret = { label: 'x', note: 'y', folderId: 'any', openLimit, notify: true, password: 'p' }
    t.strictSame(newSecretErrors(secret, noteMaxBytes), [])
  }
  t.end()
})

t.test('all invalid fields are named together', (t) => {
  const errors = newSecretErrors({ label: '', note: '', openLimit: -1, password: '' }, noteMaxBytes)
  t.strictSame(
    errors.map(({ field, rule }) => `${field} ${rule}`),
    ['label empty', 'note empty', 'openLimit out_of_range', 'password empty'],
  )
  t.end()
})

t.test('a label has 1 to 255 code points and no control characters', (t) => {
  t.equal(labelError('😀'.repeat(255)), undefined)
  t.strictSame(labelError('😀'.repeat(256)), { rule: 'too_long', limit: 255 })
  t.strictSame(labelError('a\nb'), { rule: 'control_character' })
  t.strictSame(labelError('a\u0085b'), { rule: 'control_character' })
  t.strictSame(labelError('a\ud800'), { rule: 'lone_surrogate' })
  t.strictSame(labelError(' '), { rule: 'empty' })
  t.end()
})

t.test('a note is measured in bytes of UTF-8', (t) => {
  const rulesOf = (note: string) => newSecretErrors({ note }, noteMaxBytes).map(({ rule }) => rule)
  t.strictSame(rulesOf('a'.repeat(100)), [])
  t.strictSame(rulesOf('a'.repeat(101)), ['too_long'])
  t.strictSame(rulesOf('€'.repeat(33)), [], '99 bytes')
  t.strictSame(rulesOf('€'.repeat(34)), ['too_long'], '102 bytes')
  t.strictSame(rulesOf('😀'.repeat(25)), [], '100 bytes')
  t.strictSame(rulesOf('a\0'), ['nul_character'])
  t.strictSame(rulesOf('\udc00'), ['lone_surrogate'])
  t.strictSame(rulesOf('a\r\n\t\u001b'), [], 'a note may hold every control character but NUL')
  t.end()
})

t.test('a password is measured in bytes of UTF-8', (t) => {
  t.equal(passwordError('p'), undefined)
  t.equal(passwordError('ä'.repeat(512)), undefined)
  t.strictSame(passwordError('ä'.repeat(513)), { rule: 'too_long', limit: 1024 })
  t.strictSame(passwordError(''), { rule: 'empty' })
  t.strictSame(passwordError('a\0'), { rule: 'nul_character' })
  t.strictSame(passwordError('a\ud800'), { rule: 'lone_surrogate' })
  t.strictSame(newSecretErrors({ password: '' }, noteMaxBytes), [{ field: 'password', rule: 'empty' }])
  t.end()
})

t.test('a password is compared in its composed form', (t) => {
  t.equal(normalizePassword('pa\u0308ss'), 'p\u00e4ss')
  t.equal(normalizePassword(' Pass '), ' Pass ', 'nothing else is changed')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const spellings = [text, text.normalize('NFC'), text.normalize('NFD')].map(normalizePassword)
      return new Set(spellings).size === 1 && normalizePassword(spellings[0]!) === spellings[0]
    }),
  )
  t.end()
})

t.test('an open limit is a whole number from 1 to 1,000,000, and `undefined` means none', (t) => {
  for (const openLimit of [0, -0, -1, 0.5, 1_000_001, NaN, Infinity]) {
    const errors = newSecretErrors({ openLimit }, noteMaxBytes)
    t.strictSame(errors, [{ field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 }], String(openLimit))
  }
  t.end()
})

t.test('an email is normalised to one spelling', (t) => {
  t.equal(normalizeEmail('  Ada@Example.ORG '), 'ada@example.org')
  t.equal(normalizeEmail('ju\u0308rgen@x'), 'j\u00fcrgen@x')
  t.equal(emailError('owner@localhost'), undefined)
  for (const wrong of ['', 'a', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b\n', 'a\u0000@b', 'a\ud800@b']) {
    t.strictSame(emailError(wrong), { rule: 'not_an_email' }, JSON.stringify(wrong))
  }
  t.equal(emailError(`${'a'.repeat(252)}@b`), undefined)
  t.strictSame(emailError(`${'a'.repeat(253)}@b`), { rule: 'too_long', limit: 254 })
  t.end()
})

t.test('an email is refused when it needs quotes, or when programs disagree about its mailboxes', (t) => {
  for (const wrong of [
    ...[
      'a;b@c.org',
      '(x)victim@b.org',
      'victim(x)@b.org',
      'a,b@c.org',
      '"a"@c.org',
      'a"b@c.org',
      'a\\b@c.org',
    ],
    ...['a:b@c.org', 'a<b@c.org', 'a>@c.org', '[a]@c.org', '.a@c.org', 'a.@c.org', 'a..b@c.org'],
    ...[
      'a@[127.0.0.1]',
      'a@b,c.org',
      'a@b;c.org',
      'a@(x)b.org',
      'a@b.org.',
      'a@b..org',
      'a@-b.org',
      'a@b.org>',
    ],
    ...['a\u200bb@c.org', 'a\u202eb@c.org', 'a\u00a0b@c.org', 'a\ue000b@c.org'],
  ]) {
    t.strictSame(emailError(wrong), { rule: 'not_an_email' }, JSON.stringify(wrong))
  }
  for (const right of [
    ...['a.b+c@d.org', "o'brien@example.org", '!#$%&*/=?^_`{|}~-@example.org', 'Ada@Example.org'],
    ...[
      'jürgen@example.org',
      '用户@例え.jp',
      'e\u0301@b.org',
      'a@bücher.example',
      'a@mail_relay',
      'a@xn--bcher-kva.example',
    ],
  ]) {
    t.equal(emailError(right), undefined, right)
  }
  t.end()
})
