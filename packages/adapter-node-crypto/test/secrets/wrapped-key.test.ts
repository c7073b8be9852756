import { randomBytes } from 'node:crypto'
import t from 'tap'
import { asCiphertext } from '../../src/shared/aead.ts'
import {
  joinWrappedContent,
  splitWrappedContent,
  type WrappedContent,
} from '../../src/secrets/wrapped-key.ts'

const content: WrappedContent = {
  salt: randomBytes(16),
  params: { memoryKiB: 65_536, passes: 3, parallelism: 1 },
  commitment: randomBytes(32),
  inner: asCiphertext(randomBytes(61)),
  noteDigest: randomBytes(32),
}

t.test('the parts of a wrapped key come back, up to the highest parameters', (t) => {
  for (const params of [
    content.params,
    { memoryKiB: 8, passes: 1, parallelism: 1 },
    { memoryKiB: 1_048_576, passes: 16, parallelism: 16 },
  ]) {
    const bytes = joinWrappedContent({ ...content, params })
    t.equal(bytes.length, 16 + 1 + 12 + 32 + 61 + 32)
    t.same(splitWrappedContent(bytes), { ...content, params })
  }
  t.end()
})

t.test('stored parameters that would exhaust the server are refused', (t) => {
  for (const params of [
    { memoryKiB: 1_048_577, passes: 3, parallelism: 1 },
    { memoryKiB: 4_294_967_295, passes: 3, parallelism: 1 },
    { memoryKiB: 65_536, passes: 17, parallelism: 1 },
    { memoryKiB: 65_536, passes: 3, parallelism: 17 },
    { memoryKiB: 65_536, passes: 0, parallelism: 1 },
    { memoryKiB: 65_536, passes: 3, parallelism: 0 },
    { memoryKiB: 15, passes: 3, parallelism: 2 },
  ]) {
    t.equal(
      splitWrappedContent(joinWrappedContent({ ...content, params })),
      undefined,
      JSON.stringify(params),
    )
  }
  t.end()
})
