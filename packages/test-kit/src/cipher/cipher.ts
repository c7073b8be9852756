import { casesOf, caseOfTwo, contractOf, declaredMethodsCase } from '../contract/contract.ts'
import { createSamples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { digestsCases } from './digests.ts'
import {
  encrypted,
  plainSecret,
  type CipherCapability,
  type CipherCase,
  type CipherUnderTest,
} from './harness.ts'
import { keyRingCases } from './key-ring.ts'
import { linkTokenCases } from './link-tokens.ts'
import { secretCipherCases } from './secret-cipher.ts'
import { secretCorruptionCases } from './secret-corruption.ts'
import { secretPasswordCases } from './secret-passwords.ts'
import { secretRebindingCases } from './secret-rebinding.ts'
import { textCipherCases } from './text-cipher.ts'

/** Cases of the harness itself. */
const factoryCases: readonly CipherCase[] = casesOf({
  'cipher/opens-apart': caseOfTwo({
    rule: 'Two installations share no key: neither can decrypt what the other one encrypted.',
    async check(one: CipherUnderTest, other: CipherUnderTest) {
      const make = createSamples(1)
      const { secret } = await encrypted(one, plainSecret(make))
      const place = { column: 'folder.label', accountId: make.uuid(), rowId: make.uuid() } as const
      same(other.secretCipher.decryptHead(secret).isErr(), true, 'whether a head is refused')
      const text = one.textCipher.encryptText(place, 'text')
      same(other.textCipher.decryptText(place, text).isErr(), true, 'whether a text is refused')
      const seal = { accountId: make.uuid(), token: make.linkToken() }
      same(other.textCipher.unsealText(seal, one.textCipher.sealText(seal, 'text')), undefined)
    },
  }),
  'cipher/offers-what-it-declares': declaredMethodsCase<CipherUnderTest, CipherCapability>([
    'beside',
    'spoil',
  ]),
})

/** The contract of ciphers, digests and the key ring. */
export const cipherContract: readonly CipherCase[] = contractOf([
  ...factoryCases,
  ...textCipherCases,
  ...secretCipherCases,
  ...secretCorruptionCases,
  ...secretPasswordCases,
  ...secretRebindingCases,
  ...keyRingCases,
  ...digestsCases,
  ...linkTokenCases,
])
