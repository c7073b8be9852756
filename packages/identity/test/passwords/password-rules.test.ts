import { isPasswordToVerify } from '@sotto/core/building-blocks'
import t from 'tap'
import {
  accountPasswordError,
  accountPasswordMinCodePoints,
  isSameHash,
  parsePasswordHash,
  passwordHashText,
} from '../../src/passwords/password-rules.ts'

const email = 'ada.lovelace@example.org'

for (const [name, password, broken] of [
  ['14 code points', '😀'.repeat(14), { rule: 'too_short', limit: 15 }],
  ['15 code points', '😀'.repeat(15), undefined],
  ['1,024 bytes', 'ä'.repeat(512), undefined],
  ['1,025 bytes', `${'ä'.repeat(512)}x`, { rule: 'too_long', limit: 1_024 }],
  ['nothing', '', { rule: 'empty' }],
  ['spaces and one letter', '             a ', undefined],
  ['a NUL', 'a long password\0', { rule: 'nul_character' }],
  ['half a surrogate pair', 'a long password \ud800', { rule: 'lone_surrogate' }],
  ['a common password in any case', 'PasswordPassword', { rule: 'too_common' }],
  ['a common password and more', 'passwordpassword 7', undefined],
  [
    'the local part of the email in any case',
    'I am Ada.LOVELACE!',
    { rule: 'contains_email', word: 'ada.lovelace' },
  ],
  ['one word of the local part', 'ada and her engine', undefined],
  ['the local part with another character for its dot', 'I am ada-lovelace', undefined],
  ['the domain of the email', 'hello example.org', undefined],
] as const) {
  t.test(`a password of ${name} is ${broken === undefined ? 'accepted' : `refused: ${broken.rule}`}`, (t) => {
    t.strictSame(accountPasswordError(password, email), broken)
    t.end()
  })
}

for (const [address, password, isRefused] of [
  ['ann', 'channel of planning 77', false],
  ['ann', 'the planning of Ann', true],
  ['ann', 'ann_and_nobody_else', true],
  ['ann', 'Ann’s long password', true],
  ['ann', 'annual planning, annann and ann7', false],
  ['ann', 'annä änn äann 7ann ann\u0323', false],
  ['ann', 'planning, then Ann, then planning', true],
  ['i', 'what I like is long', true],
  ['i', 'this is a long password', false],
  ['müller', 'Willkommen, Müller!', true],
  ['müller', 'Obermüllerinnen 77', false],
  ['οδυσσεύς', 'ὁ πολύτροπος ΟΔΥΣΣΕΎΣ', true],
  ['山田', 'わたしは 山田 といいます、よろしく', true],
  ['a+b.*', 'here is a+b.* in full', true],
  ['a+b.*', 'aaab and anything else', false],
  ['x[1]{2}|^$\\/?(y)', 'I am x[1]{2}|^$\\/?(y), really', true],
  ['a@b', 'they say a@b to me', true],
] as const) {
  t.test(`of ${address}@example.org, “${password}” is ${isRefused ? 'refused' : 'accepted'}`, (t) => {
    const broken = isRefused ? { rule: 'contains_email', word: address } : undefined
    t.strictSame(accountPasswordError(password, `${address}@example.org`), broken)
    t.end()
  })
}

t.test('an account without an email refuses no word', (t) => {
  t.equal(accountPasswordError('a password without email', undefined), undefined)
  t.equal(accountPasswordMinCodePoints, 15)
  t.end()
})

t.test('a password is verified only if an account can have it', (t) => {
  t.ok(isPasswordToVerify('short'), 'an older rule may have allowed it')
  t.ok(isPasswordToVerify('\u0390'.repeat(512).normalize('NFD')), '1,024 bytes once composed')
  for (const typed of ['', 'a\0', '\udc00', 'x'.repeat(1_025), '\u0390'.repeat(513), ' '.repeat(2_049)]) {
    t.notOk(isPasswordToVerify(typed))
  }
  t.end()
})

const hash = {
  params: { memoryKiB: 65_536, passes: 3, parallelism: 1 },
  salt: Uint8Array.from({ length: 16 }, (_, at) => at),
  hash: Uint8Array.from({ length: 32 }, (_, at) => 255 - at),
}

t.test('a hash is read as it was written, and nothing else is', (t) => {
  const text = passwordHashText(hash)
  t.match(text, /^argon2id,m=65536,t=3,p=1,000102[0-9a-f]{26},fffe[0-9a-f]{60}$/)
  t.strictSame(parsePasswordHash(text), hash)
  for (const other of [
    '',
    `${text}0`,
    ` ${text}`,
    text.toUpperCase(),
    text.replace('id', 'i'),
    `${text}\n`,
    text.replace('m=65536', 'm='),
    text.replace(',0001', ',01'),
  ]) {
    t.equal(parsePasswordHash(other), undefined)
  }
  t.end()
})

t.test('hashes are the same when every byte and the length are', (t) => {
  const one = hash.hash
  t.ok(isSameHash(one, Uint8Array.from(one)))
  for (let at = 0; at < one.length; at += 1) {
    t.notOk(
      isSameHash(
        one,
        one.map((byte, nr) => (nr === at ? byte ^ 1 : byte)),
      ),
    )
  }
  t.notOk(isSameHash(one, one.subarray(0, 31)))
  t.notOk(isSameHash(one.subarray(0, 31), one))
  t.notOk(isSameHash(new Uint8Array(), new Uint8Array(1)))
  t.end()
})
