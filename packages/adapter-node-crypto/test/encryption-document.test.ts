import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import {
  accountNameText,
  bounds,
  linkTokenRandomBytes,
  textColumns,
  type UnstoredPlace,
  wrongToDisable,
  wrongToLock,
} from '@sotto/core'
import { blobOverhead } from '../src/shared/aead.ts'
import { fileData } from '../src/shared/associated-data.ts'
import { paddedFileLength } from '../src/files/file-padding.ts'
import { leastSize, paddedLength, padText } from '../src/shared/padding.ts'
import {
  arePasswordHashParamsSound,
  defaultPasswordHashParams,
  saltLength,
} from '../src/passwords/password-hasher.ts'

// The numbers in docs/encryption.md follow from the bounds of the core and from constants of this package. Each test computes them and
// compares them with the sentence that states them.

/** Without line breaks, which prettier moves. */
const text = readFileSync(new URL('../../../docs/encryption.md', import.meta.url), 'utf8').replace(
  /\s+/g,
  ' ',
)

/** The most bytes of UTF-8 that a code point takes. */
const widest = '🗝'
const mebibyte = 1_048_576

t.test('sizes of notes, labels and account names', async (t) => {
  const [notes, labels, names] = numbersIn(
    t,
    /A note of up to 1 MiB has one of (\d+) sizes, a label one of (\d+), an account's name one of (\d+)\./,
  )
  const longestLabel = widest.repeat(bounds.labelMaxCodePoints)
  const longestNames = [
    accountNameText({ email: widest.repeat(bounds.emailMaxCodePoints), externalId: undefined }),
    // An external id has the bounds of a label.
    accountNameText({ email: undefined, externalId: longestLabel }),
  ]
  t.equal(sizesUpTo(mebibyte, leastSize.note), notes)
  t.equal(sizesUpTo(Buffer.byteLength(longestLabel), leastSize.shortText), labels)
  const nameBytes = Math.max(...longestNames.map((name) => Buffer.byteLength(name)))
  t.equal(sizesUpTo(nameBytes, leastSize.shortText), names)
})

t.test('a size reveals less than four bits, and the largest note is not padded', async (t) => {
  const [sizes = 0] = numbersIn(t, /A note of up to 1 MiB has one of (\d+) sizes/)
  t.ok(text.includes('A size reveals less than four bits'))
  t.ok(Math.log2(sizes) < 4)
  t.equal(padText('x'.repeat(mebibyte), leastSize.note).length, 4 + mebibyte)
})

t.test('sizes and bounds of contents of files', async (t) => {
  const [least = 0, added = 0, sizes] = numbersIn(
    t,
    /The least is ([\d,]+) bytes\. Above that at most ([\d.]+) % are added, and a content of up to 25 MiB has one of (\d+) sizes/,
  )
  t.strictSame([paddedFileLength(0), paddedFileLength(least)], [least, least])
  const found = new Set<number>()
  let worst = 0
  for (let size = least; size <= 25 * mebibyte; size = paddedFileLength(size) + 1) {
    found.add(paddedFileLength(size))
    worst = Math.max(worst, paddedFileLength(size) / size - 1)
  }
  t.equal(found.size, sizes)
  t.equal(Math.ceil(worst * 1_000) / 10, added)
  // A chunk, the associated data, and the block with their lengths.
  const id = '0192f3c4-0000-7000-8000-000000000001'
  const data = fileData({ fileId: id, secretId: id, accountId: id })
  const blocks = 65_536 / 16 + Math.ceil(data.length / 16) + 1
  t.ok(text.includes('succeeds with a probability below 2^−115'))
  t.ok(Math.log2(blocks) - 128 < -115)
  t.ok(text.includes('(the square of their number, divided by 2^129) is below 2^−87'))
  t.ok(2 * Math.log2((25 * mebibyte) / 16 + 2 * 400) - 129 < -87)
})

t.test('the smallest sizes', async (t) => {
  t.strictSame(numbersIn(t, /`least` is (\d+) for short texts and labels, (\d+) for notes/), [
    leastSize.shortText,
    leastSize.note,
  ])
  t.ok(text.includes(`padded(text, ${leastSize.shortText}) under the key of its column and account`))
  t.ok(text.includes(`‖ padded(label, ${leastSize.shortText})`))
  t.ok(text.includes(`plaintext = padded(note, ${leastSize.note})`))
})

t.test('the bytes of blobs, tokens and salts', async (t) => {
  t.strictSame(numbersIn(t, /A blob is (\d+) bytes longer than its plaintext/), [blobOverhead])
  t.strictSame(numbersIn(t, /r = (\d+) random bytes/), [linkTokenRandomBytes])
  t.strictSame(numbersIn(t, /a link token (\d+), too many/), [8 * linkTokenRandomBytes])
  t.strictSame(numbersIn(t, /The (\d+) bits of `r`/), [8 * linkTokenRandomBytes])
  t.strictSame(numbersIn(t, /plaintext = S \((\d+)\) ‖/), [saltLength])
  // An access token has 40 characters out of 62.
  t.strictSame(numbersIn(t, /An access token has (\d+) random bits/), [Math.floor(40 * Math.log2(62))])
})

t.test('the parameters of Argon2id', async (t) => {
  const { memoryKiB, passes, parallelism } = defaultPasswordHashParams
  t.strictSame(numbersIn(t, /By default memory is ([\d,]+) KiB, passes (\d+), lanes (\d+)\./), [
    memoryKiB,
    passes,
    parallelism,
  ])
  t.strictSame(numbersIn(t, /one processor and (\d+) MiB/), [memoryKiB / 1_024])
  const [maxMemory = 0, maxPasses = 0, maxLanes = 0, minPasses = 0, minLanes = 0, minMemory = 0] = numbersIn(
    t,
    /treats more than ([\d,]+) KiB, (\d+) passes or (\d+) lanes as corruption, and also less than (\d+) pass, (\d+) lane or (\d+) KiB for each lane/,
  )
  const smallest = { memoryKiB: minMemory * minLanes, passes: minPasses, parallelism: minLanes }
  const largest = { memoryKiB: maxMemory, passes: maxPasses, parallelism: maxLanes }
  for (const params of [smallest, largest]) t.ok(arePasswordHashParamsSound(params), JSON.stringify(params))
  for (const field of ['memoryKiB', 'passes', 'parallelism'] as const) {
    t.notOk(arePasswordHashParamsSound({ ...smallest, [field]: smallest[field] - 1 }), `less ${field}`)
    t.notOk(arePasswordHashParamsSound({ ...largest, [field]: largest[field] + 1 }), `more ${field}`)
  }
})

t.test('the wrong passwords that a link permits', async (t) => {
  t.strictSame(numbersIn(t, /with the password: (\d+) guesses, then a lock, (\d+) in all/), [
    wrongToLock,
    wrongToDisable,
  ])
})

t.test('the columns of short texts', async (t) => {
  const [, listed = ''] = /The columns of short texts are (.*?);/.exec(text) ?? []
  t.strictSame(
    [...listed.matchAll(/`([^`]+)`/g)].map(([, column]) => column),
    textColumns,
  )
  for (const column of textColumns) t.ok(text.includes(`\`${column}/{A}\``), column)
})

t.test('the keys of texts that are in no table', async (t) => {
  const infos: Record<UnstoredPlace['column'], string> = {
    'sso.attempt': 'sso.attempt/{nil UUID}',
    'draft.files': 'draft.files/{A}',
  }
  for (const info of Object.values(infos)) t.ok(text.includes(`| \`${info}\``), info)
})

/** The numbers in the sentence. Without the sentence the test fails. */
function numbersIn(t: Test, sentence: RegExp): number[] {
  const found = sentence.exec(text)
  t.ok(found, `the document says ${sentence.source}`)
  return found === null ? [] : found.slice(1).map((number) => Number(number.replaceAll(',', '')))
}

/** How many lengths padded texts of 1 to `maxBytes` bytes have. */
function sizesUpTo(maxBytes: number, least: number): number {
  const sizes = new Set<number>()
  for (let byteLength = 1; byteLength <= maxBytes; byteLength += 1) sizes.add(paddedLength(byteLength, least))
  return sizes.size
}
