import { err, ok } from 'neverthrow'
import type { TextCipher } from '@sotto/core'
import { decryptBlob, encryptBlob } from './aead.ts'
import { textData } from './associated-data.ts'
import type { RingKeys } from './key-ring.ts'
import { leastSize, padText, unpadText } from './padding.ts'
import type { RandomBytes } from './random.ts'

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
  }
}
