import { hkdfSync, type KeyObject } from 'node:crypto'
import { err, ok } from 'neverthrow'
import type { TextCipher, TokenSeal } from '@sotto/core'
import { decryptBlob, encryptBlob } from '../shared/aead.ts'
import { sealData, textData } from '../shared/associated-data.ts'
import type { RingKeys } from '../keys/key-ring.ts'
import { leastSize, padText, unpadText } from '../shared/padding.ts'
import type { RandomBytes } from '../shared/random.ts'
import { secretKeyFrom } from '../keys/ring-key.ts'

export function createTextCipher({
  ring,
  randomBytes,
}: {
  readonly ring: RingKeys
  readonly randomBytes: RandomBytes
}): TextCipher {
  return {
    encryptText(place, text) {
      const ringKey = ring.active()
      const ciphertext = encryptBlob({
        key: ringKey.accountKey(place.column, place.accountId),
        associatedData: textData(place, ringKey.kid),
        plaintext: padText(text, leastSize.shortText),
        randomBytes,
      })
      return { kid: ringKey.kid, ciphertext }
    },
    decryptText(place, { kid, ciphertext }) {
      const ringKey = ring.find(kid)
      if (ringKey === undefined) return err({ code: 'key_unknown', kid })
      const plaintext = decryptBlob({
        key: ringKey.accountKey(place.column, place.accountId),
        associatedData: textData(place, kid),
        blob: ciphertext,
      })
      const text = plaintext && unpadText(plaintext, leastSize.shortText)
      return text === undefined
        ? err({ code: 'data_damaged', what: place.column, id: place.rowId })
        : ok(text)
    },

    sealText: (seal, text) =>
      encryptBlob({
        key: sealKey(ring, seal),
        associatedData: sealData(seal.accountId),
        plaintext: padText(text, leastSize.shortText),
        randomBytes,
      }),

    unsealText(seal, sealed) {
      const associatedData = sealData(seal.accountId)
      const plaintext = decryptBlob({ key: sealKey(ring, seal), associatedData, blob: sealed })
      return plaintext && unpadText(plaintext, leastSize.shortText)
    },
  }
}

/** HKDF-SHA256 of the token's text: it is random, and stored nowhere. */
function sealKey({ instanceId }: RingKeys, { token }: TokenSeal): KeyObject {
  return secretKeyFrom(new Uint8Array(hkdfSync('sha256', token, instanceId, 'sotto/v1/token-seal', 32)))
}
