import { createSoftPasskey } from '@sotto/test-kit'
import t from 'tap'
import { readAuthenticatorData } from '../../src/passkeys/authenticator-data.ts'

const ceremony = { challenge: 'AAAA', rpId: 'sotto.example', origin: 'https://sotto.example' }
const made = Buffer.from(createSoftPasskey().made(ceremony).authenticatorData, 'base64url')
const flagsAt = 32
const idLengthAt = 37 + 16
const extensions = Buffer.from('a0', 'hex')

t.test('authenticator data that was cut off anywhere, or goes on, is not read', (t) => {
  t.ok(readAuthenticatorData(made))
  for (let length = 0; length < made.length; length += 1) {
    // Without its flag, what was attested is superfluous.
    for (const flags of [made[flagsAt] ?? 0, 0x05]) {
      const cut = withByte(made.subarray(0, length), flagsAt, flags)
      t.equal(readAuthenticatorData(cut) !== undefined, length === 37 && flags === 0x05, String(length))
    }
  }
  t.equal(readAuthenticatorData(Buffer.concat([made, Buffer.from([0])])), undefined)
  t.end()
})

t.test('extensions are there exactly if their flag is set', (t) => {
  const flagged = withByte(made, flagsAt, (made[flagsAt] ?? 0) | 0x80)
  t.equal(readAuthenticatorData(flagged), undefined, 'a flag without extensions')
  t.equal(readAuthenticatorData(Buffer.concat([made, extensions])), undefined, 'extensions without a flag')
  const extended = readAuthenticatorData(Buffer.concat([flagged, extensions]))
  t.strictSame(extended, readAuthenticatorData(made), 'nothing is read from them')
  t.end()
})

t.test('a credential id has 16 to 1,023 bytes', (t) => {
  const before = made.subarray(0, idLengthAt)
  const key = made.subarray(idLengthAt + 2 + 32)
  const idOf = (length: number): number | undefined => {
    const id = Buffer.alloc(2 + length, 1)
    id.writeUInt16BE(length)
    return readAuthenticatorData(Buffer.concat([before, id, key]))?.attested?.credentialId.length
  }
  t.strictSame([0, 15, 16, 1_023, 1_024].map(idOf), [undefined, undefined, 16, 1_023, undefined])
  t.end()
})

t.test('the counter is an unsigned number of 32 bits', (t) => {
  const counted = Buffer.from(made)
  counted.writeUInt32BE(0xfedcba98, 33)
  t.equal(readAuthenticatorData(counted)?.signCount, 0xfedcba98)
  t.end()
})

function withByte(data: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(data)
  if (at < changed.length) changed[at] = byte
  return changed
}
