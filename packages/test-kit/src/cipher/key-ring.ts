import { casesOf } from '../contract/contract.ts'
import assert from 'node:assert/strict'
import {
  besideCipherCase,
  cipherCase,
  encrypted,
  plainSecret,
  rotate,
  unknownKid,
  type CipherCase,
} from './harness.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same, spelled } from '../contract/compare.ts'

/** Cases of the key ring. */
export const keyRingCases: readonly CipherCase[] = casesOf({
  'key-ring/has-an-active-key': cipherCase({
    rule: 'The active key is one of the keys of the ring, which are listed by kid, ascending.',
    async check({ keyRing }) {
      same(keyRing.kids().includes(keyRing.activeKid()), true, 'whether the active key is in the ring')
      for (let more = 0; more < 3; more += 1) expectOk(await keyRing.addKey())
      const kids = keyRing.kids()
      same(
        kids,
        kids.toSorted((one, other) => one - other),
      )
      same(new Set(kids).size, kids.length, 'how many different keys there are')
    },
  }),
  'key-ring/added-key-is-not-active': cipherCase({
    rule: 'addKey adds a key whose kid is higher than any before it; the active key stays active.',
    async check({ keyRing }) {
      const [before, active] = [keyRing.kids(), keyRing.activeKid()]
      const kid = expectOk(await keyRing.addKey())
      assert.ok(kid > Math.max(...before), `the new kid ${kid} is not higher than ${before.join(', ')}`)
      same(keyRing.kids(), [...before, kid])
      same(keyRing.activeKid(), active)
    },
  }),
  'key-ring/kid-is-never-used-again': cipherCase({
    rule: 'The kid of a removed key is never used again.',
    async check({ keyRing }) {
      const kid = expectOk(await keyRing.addKey())
      expectOk(await keyRing.removeKey(kid))
      const next = expectOk(await keyRing.addKey())
      assert.ok(next > kid, `the kid ${kid} of a removed key was used again`)
    },
  }),
  'key-ring/activate-changes-the-active-key': cipherCase({
    rule: 'activate makes a key of the ring the active one, also if it was active before.',
    async check({ keyRing }) {
      const first = keyRing.activeKid()
      const kid = expectOk(await keyRing.addKey())
      for (const each of [kid, kid, first]) {
        expectOk(await keyRing.activate(each))
        same(keyRing.activeKid(), each)
      }
    },
  }),
  'key-ring/removed-key-is-gone': cipherCase({
    rule: 'A removed key is gone from the ring, and ciphertexts under it are key_unknown; removing an unknown key is not an error.',
    async check(cipher, make) {
      const { secret } = await encrypted(cipher, plainSecret(make))
      const kid = await rotate(cipher)
      for (let time = 0; time < 2; time += 1) expectOk(await cipher.keyRing.removeKey(secret.kid))
      expectOk(await cipher.keyRing.removeKey(unknownKid))
      same(cipher.keyRing.kids(), [kid])
      const result = cipher.secretCipher.decryptHead(secret)
      same(expectErr(result), { code: 'key_unknown', kid: secret.kid })
    },
  }),
  'key-ring/check-values-differ-between-keys': cipherCase({
    rule: 'The check value of a key is always the same, and differs between keys.',
    async check({ keyRing }) {
      const kid = expectOk(await keyRing.addKey())
      const first = keyRing.checkValue(keyRing.activeKid())
      same(keyRing.checkValue(keyRing.activeKid()), first)
      assert.notEqual(spelled(keyRing.checkValue(kid)), spelled(first), 'two keys have the same check value')
      assert.ok(first.length > 0, 'the check value is empty')
    },
  }),
  'key-ring/keys-are-shared': besideCipherCase({
    rule: 'Every process has the same keys: it decrypts what another one encrypted, and check values are the same.',
    async check(cipher, beside, make) {
      const { plain, secret, note } = await encrypted(cipher, plainSecret(make))
      same(expectOk(beside.secretCipher.decryptHead(secret)), plain.head)
      same(expectOk(await beside.secretCipher.decryptNote(secret, note, undefined)), plain.note)
      same(beside.keyRing.kids(), cipher.keyRing.kids())
      same(beside.keyRing.checkValue(secret.kid), cipher.keyRing.checkValue(secret.kid))
    },
  }),
  'key-ring/unknown-key-is-read-again': besideCipherCase({
    rule: 'A process reads the keys again before it calls a key unknown, so it decrypts what another process encrypted under a new key.',
    async check(cipher, beside, make) {
      await rotate(beside)
      const { plain, secret, note } = await encrypted(beside, plainSecret(make))
      same(expectOk(cipher.secretCipher.decryptHead(secret)), plain.head, 'a head')
      same(expectOk(await cipher.secretCipher.decryptNote(secret, note, undefined)), plain.note, 'a note')
      await rotate(beside)
      const place = { column: 'folder.label', accountId: make.uuid(), rowId: make.uuid() } as const
      const text = beside.textCipher.encryptText(place, 'text')
      same(expectOk(cipher.textCipher.decryptText(place, text)), 'text', 'a text')
    },
  }),
  'key-ring/refresh-sees-changes': besideCipherCase({
    rule: 'After refresh or follow a process has the keys and the active key that another process has set.',
    async check(cipher, beside, make) {
      const { keyRing } = cipher
      for (const read of ['refresh', 'follow'] as const) {
        const kid = await rotate(beside)
        await keyRing[read]()
        same(keyRing.kids(), beside.keyRing.kids(), read)
        same(keyRing.activeKid(), kid, read)
        same((await encrypted(cipher, plainSecret(make))).secret.kid, kid, read)
      }
    },
  }),
  'key-ring/unusable-ring-stays-known': cipherCase({
    rule: 'refresh and follow of a ring that cannot be read do not throw or reject, and the ring stays as it was.',
    needs: ['spoil'],
    async check(cipher, make) {
      assert.ok(cipher.spoil, 'the harness supports spoil, but its ciphers have no such method')
      const { plain, secret } = await encrypted(cipher, plainSecret(make))
      const kids = cipher.keyRing.kids()
      await cipher.spoil()
      cipher.keyRing.refresh()
      await cipher.keyRing.follow()
      same(cipher.keyRing.kids(), kids)
      same(cipher.keyRing.activeKid(), secret.kid)
      same(expectOk(cipher.secretCipher.decryptHead(secret)), plain.head)
      same((await encrypted(cipher, plainSecret(make))).secret.kid, secret.kid)
    },
  }),
  'key-ring/unusable-ring-is-not-changed': cipherCase({
    rule: 'A ring that cannot be changed answers keys_unwritable and stays as it was.',
    needs: ['spoil'],
    async check({ keyRing, spoil }) {
      assert.ok(spoil, 'the harness supports spoil, but its ciphers have no such method')
      const kid = expectOk(await keyRing.addKey())
      const [kids, active] = [keyRing.kids(), keyRing.activeKid()]
      await spoil()
      expectErr(await keyRing.addKey(), 'keys_unwritable')
      expectErr(await keyRing.activate(kid), 'keys_unwritable')
      expectErr(await keyRing.removeKey(kid), 'keys_unwritable')
      same({ kids: keyRing.kids(), active: keyRing.activeKid() }, { kids, active })
    },
  }),
})
