import t from 'tap'
import { accountPasswordError } from '../../src/passwords/password-rules.ts'
import { commonPasswords } from '../../src/passwords/common-passwords.ts'

t.test('every common password is long enough to be chosen, in lower case, and refused', (t) => {
  t.ok(commonPasswords.size >= 40)
  for (const password of commonPasswords) {
    t.equal(password, password.normalize('NFC').toLowerCase())
    t.strictSame(accountPasswordError(password, undefined), { rule: 'too_common' })
  }
  t.end()
})
