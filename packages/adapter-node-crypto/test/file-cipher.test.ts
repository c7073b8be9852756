import { test } from 'tap'
import { fileCipherContract, runContract } from '@sotto/test-kit'
import { createFileCipher } from '../src/file-cipher.ts'
import { paddedFileLength } from '../src/file-padding.ts'
import { randomBytes } from '../src/random.ts'

runContract(test, fileCipherContract, {
  supports: [],
  open: () =>
    Promise.resolve({ fileCipher: createFileCipher({ randomBytes }), dispose: () => Promise.resolve() }),
})

test('a content is padded to the next length whose binary form ends in enough zeros', (t) => {
  for (const [size, padded] of [
    [0, 4_096],
    [4_096, 4_096],
    [4_097, 4_352],
    [65_536, 65_536],
    [65_537, 67_584],
    [1_000_000, 1_015_808],
    [25 * 2 ** 20, 26_214_400],
    [2 ** 32 + 1, 2 ** 32 + 2 ** 26],
  ] as const)
    t.equal(paddedFileLength(size), padded, `${size}`)
  t.end()
})
