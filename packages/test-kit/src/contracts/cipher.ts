import { createSamples } from '../samples.ts'
import { keep, plainSecret, type CipherCase, type CipherHarness } from './cipher-harness.ts'
import { digestsCases } from './digests.ts'
import { same } from './expect.ts'
import { keyRingCases } from './key-ring.ts'
import { secretCipherCases } from './secret-cipher.ts'
import { secretDamageCases } from './secret-damage.ts'
import { secretPasswordCases } from './secret-passwords.ts'
import { secretRebindingCases } from './secret-rebinding.ts'
import { textCipherCases } from './text-cipher.ts'
import { contractOf } from '../contract.ts'

/** Cases of the harness itself. */
const factoryCases: readonly CipherCase[] = [
  {
    id: 'cipher/opens-apart',
    rule: 'Two installations share no key: what one encrypts the other cannot read.',
    async run(harness: CipherHarness) {
      const [one, other] = [await harness.open(), await harness.open()]
      try {
        const make = createSamples(1)
        const { secret } = await keep(one, plainSecret(make))
        const place = { column: 'folder.label', accountId: make.uuid(), rowId: make.uuid() } as const
        same(other.secretCipher.decryptHead(secret).isErr(), true, 'whether a head is refused')
        const text = one.textCipher.encryptText(place, 'text')
        same(other.textCipher.decryptText(place, text).isErr(), true, 'whether a text is refused')
      } finally {
        await Promise.all([one.dispose(), other.dispose()])
      }
    },
  },
  {
    id: 'cipher/offers-what-it-declares',
    rule: 'The methods that belong to a capability are there exactly if the harness declares it.',
    async run(harness: CipherHarness) {
      const cipher = await harness.open()
      try {
        for (const capability of ['beside', 'spoil'] as const) {
          same(typeof cipher[capability] === 'function', harness.supports.includes(capability), capability)
        }
      } finally {
        await cipher.dispose()
      }
    },
  },
]

/** The contract of ciphers, digests and the ring of keys they hang on. */
export const cipherContract: readonly CipherCase[] = contractOf([
  ...factoryCases,
  ...textCipherCases,
  ...secretCipherCases,
  ...secretDamageCases,
  ...secretPasswordCases,
  ...secretRebindingCases,
  ...keyRingCases,
  ...digestsCases,
])
