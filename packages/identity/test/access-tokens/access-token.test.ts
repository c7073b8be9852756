import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import t from 'tap'
import { isAccessToken, isTokenUsable, makeAccessToken } from '../../src/access-tokens/access-token.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

t.test('a token is sotto_, 40 characters, and the CRC-32 of those in base 62', (t) => {
  for (let round = 0; round < 100; round += 1) {
    const token = makeAccessToken(randomBytes)
    t.match(token, /^sotto_[0-9A-Za-z]{46}$/)
    t.equal(checksumValue(token.slice(46)), crc32(token.slice(6, 46)))
    t.ok(isAccessToken(token))
  }
  t.end()
})

t.test('bytes that would favour some characters are skipped', (t) => {
  const supply = [new Uint8Array(40).fill(248), new Uint8Array(40).fill(255), new Uint8Array(40).fill(247)]
  const token = makeAccessToken(() => supply.shift() ?? new Uint8Array(0))
  t.equal(token.slice(6, 46), 'z'.repeat(40))
  t.end()
})

t.test('every character is as likely as any other', (t) => {
  const counts = new Map<string, number>()
  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  let next = 0
  const take = (count: number) => Uint8Array.from({ length: count }, () => everyByte[next++ % 256] ?? 0)
  // 62 tokens take 62 * 40 = 2,480 usable bytes, which is ten times each of the 248 usable values.
  for (let round = 0; round < 62; round += 1) {
    for (const character of makeAccessToken(take).slice(6, 46))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  t.equal(counts.size, 62)
  const most = Math.max(...counts.values())
  const least = Math.min(...counts.values())
  t.ok(most - least <= 8, `between ${String(least)} and ${String(most)} of each`)
  t.end()
})

t.test('a text with a changed character, another prefix or another length is not a token', (t) => {
  const token = makeAccessToken((count) => new Uint8Array(count))
  t.ok(isAccessToken(token))
  const changed = `${token.slice(0, 20)}1${token.slice(21)}`
  for (const wrong of [
    '',
    changed,
    token.slice(0, -1),
    `${token}0`,
    token.replace('sotto', 'other'),
    `${token}\n`,
  ]) {
    t.notOk(isAccessToken(wrong), JSON.stringify(wrong))
  }
  t.end()
})

t.test('a token is usable until it is revoked or expires', (t) => {
  const now = 1_000
  const table = [
    { revokedAtMicros: undefined, expiresAtMicros: undefined, usable: true },
    { revokedAtMicros: undefined, expiresAtMicros: now + 1, usable: true },
    { revokedAtMicros: undefined, expiresAtMicros: now, usable: false },
    { revokedAtMicros: undefined, expiresAtMicros: now - 1, usable: false },
    { revokedAtMicros: now - 1, expiresAtMicros: undefined, usable: false },
    { revokedAtMicros: now + 1, expiresAtMicros: undefined, usable: false },
    { revokedAtMicros: 0, expiresAtMicros: now + 1, usable: false },
  ]
  for (const { usable, ...token } of table) t.equal(isTokenUsable(token, now), usable, JSON.stringify(token))
  t.end()
})

function checksumValue(digits: string): number {
  return Array.from(digits).reduce((value, digit) => value * 62 + base62.indexOf(digit), 0)
}
