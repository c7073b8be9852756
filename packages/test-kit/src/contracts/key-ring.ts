import assert from 'node:assert/strict'
import {
  besideCipherCase,
  cipherCase,
  keep,
  plainSecret,
  rotate,
  unknownKid,
  type CipherCase,
} from './cipher-harness.ts'
import { failsWith, okOf, same, spelled, valueOf } from './expect.ts'

export const keyRingCases: readonly CipherCase[] = [
  cipherCase({
    id: 'key-ring/has-an-active-key',
    rule: 'A ring has an active key, which is one of its keys; these are listed by kid ascending.',
    async check({ keyRing }) {
      same(keyRing.kids().includes(keyRing.activeKid()), true, 'whether the active key is in the ring')
      for (let more = 0; more < 3; more += 1) await okOf(keyRing.addKey())
      const kids = keyRing.kids()
      same(
        kids,
        kids.toSorted((one, other) => one - other),
      )
      same(new Set(kids).size, kids.length, 'how many different keys there are')
    },
  }),
  cipherCase({
    id: 'key-ring/added-key-is-not-active',
    rule: 'addKey adds a key with a kid higher than any before it, and leaves the active key active.',
    async check({ keyRing }) {
      const [before, active] = [keyRing.kids(), keyRing.activeKid()]
      const kid = await okOf(keyRing.addKey())
      assert.ok(kid > Math.max(...before), `the new kid ${kid} is not higher than ${before.join(', ')}`)
      same(keyRing.kids(), [...before, kid])
      same(keyRing.activeKid(), active)
    },
  }),
  cipherCase({
    id: 'key-ring/kid-is-never-used-again',
    rule: 'The kid of a key that was removed is not given to another one.',
    async check({ keyRing }) {
      const kid = await okOf(keyRing.addKey())
      await okOf(keyRing.removeKey(kid))
      const next = await okOf(keyRing.addKey())
      assert.ok(next > kid, `the kid ${kid} of a removed key was given again`)
    },
  }),
  cipherCase({
    id: 'key-ring/activate-changes-the-active-key',
    rule: 'activate makes a key of the ring the active one, also one that was so before.',
    async check({ keyRing }) {
      const first = keyRing.activeKid()
      const kid = await okOf(keyRing.addKey())
      for (const each of [kid, kid, first]) {
        await okOf(keyRing.activate(each))
        same(keyRing.activeKid(), each)
      }
    },
  }),
  cipherCase({
    id: 'key-ring/removed-key-is-gone',
    rule: 'A removed key is in the ring no more, and what hangs on it is refused with key_unknown; one that is not there is fine.',
    async check(cipher, make) {
      const { secret } = await keep(cipher, plainSecret(make))
      const kid = await rotate(cipher)
      for (let time = 0; time < 2; time += 1) await okOf(cipher.keyRing.removeKey(secret.kid))
      await okOf(cipher.keyRing.removeKey(unknownKid))
      same(cipher.keyRing.kids(), [kid])
      const answer = cipher.secretCipher.decryptHead(secret)
      same(answer.isErr() && answer.error, { code: 'key_unknown', kid: secret.kid })
    },
  }),
  cipherCase({
    id: 'key-ring/check-value-tells-keys-apart',
    rule: 'A check value is the same each time it is asked for, and another one for another key.',
    async check({ keyRing }) {
      const kid = await okOf(keyRing.addKey())
      const first = keyRing.checkValue(keyRing.activeKid())
      same(keyRing.checkValue(keyRing.activeKid()), first)
      assert.notEqual(spelled(keyRing.checkValue(kid)), spelled(first), 'two keys have the same check value')
      assert.ok(first.length > 0, 'the check value is empty')
    },
  }),
  besideCipherCase({
    id: 'key-ring/keys-are-shared',
    rule: 'Another process has the same keys: what one encrypts the other decrypts, and check values are the same.',
    async check(cipher, beside, make) {
      const { plain, secret, note } = await keep(cipher, plainSecret(make))
      same(valueOf(beside.secretCipher.decryptHead(secret)), plain.head)
      same(await okOf(beside.secretCipher.decryptNote(secret, note, undefined)), plain.note)
      same(beside.keyRing.kids(), cipher.keyRing.kids())
      same(beside.keyRing.checkValue(secret.kid), cipher.keyRing.checkValue(secret.kid))
    },
  }),
  besideCipherCase({
    id: 'key-ring/unknown-key-is-looked-for',
    rule: 'What another process encrypted under a key that is new is decrypted, the keys being read anew for it.',
    async check(cipher, beside, make) {
      await rotate(beside)
      const { plain, secret, note } = await keep(beside, plainSecret(make))
      same(valueOf(cipher.secretCipher.decryptHead(secret)), plain.head, 'a head')
      same(await okOf(cipher.secretCipher.decryptNote(secret, note, undefined)), plain.note, 'a note')
      await rotate(beside)
      const place = { column: 'folder.label', accountId: make.uuid(), rowId: make.uuid() } as const
      const encrypted = beside.textCipher.encryptText(place, 'text')
      same(valueOf(cipher.textCipher.decryptText(place, encrypted)), 'text', 'a text')
    },
  }),
  besideCipherCase({
    id: 'key-ring/refresh-learns-of-changes',
    rule: 'After refresh a process knows the keys and the active key that another one has set.',
    async check({ keyRing, ...cipher }, beside, make) {
      const kid = await rotate(beside)
      keyRing.refresh()
      same(keyRing.kids(), beside.keyRing.kids())
      same(keyRing.activeKid(), kid)
      same((await keep({ keyRing, ...cipher }, plainSecret(make))).secret.kid, kid)
    },
  }),
  cipherCase({
    id: 'key-ring/unusable-ring-stays-known',
    rule: 'refresh of a ring that cannot be read throws nothing, and the ring stays as it was.',
    needs: 'spoil',
    async check(cipher, make) {
      assert.ok(cipher.spoil, 'the harness supports spoil, but its ciphers have no such method')
      const { plain, secret } = await keep(cipher, plainSecret(make))
      const kids = cipher.keyRing.kids()
      await cipher.spoil()
      cipher.keyRing.refresh()
      same(cipher.keyRing.kids(), kids)
      same(cipher.keyRing.activeKid(), secret.kid)
      same(valueOf(cipher.secretCipher.decryptHead(secret)), plain.head)
      same((await keep(cipher, plainSecret(make))).secret.kid, secret.kid)
    },
  }),
  cipherCase({
    id: 'key-ring/unusable-ring-is-not-changed',
    rule: 'A ring that cannot be changed answers keys_unwritable, and stays as it was.',
    needs: 'spoil',
    async check({ keyRing, spoil }) {
      assert.ok(spoil, 'the harness supports spoil, but its ciphers have no such method')
      const kid = await okOf(keyRing.addKey())
      const [kids, active] = [keyRing.kids(), keyRing.activeKid()]
      await spoil()
      await failsWith(keyRing.addKey(), 'keys_unwritable')
      await failsWith(keyRing.activate(kid), 'keys_unwritable')
      await failsWith(keyRing.removeKey(kid), 'keys_unwritable')
      same({ kids: keyRing.kids(), active: keyRing.activeKid() }, { kids, active })
    },
  }),
]
