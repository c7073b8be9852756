import type { Edit, LeftOut } from './leaf.ts'

// What every leaf needs, because a test counts what all capabilities add to.

export const countedNames: LeftOut = {
  file: 'packages/core/test/index.test.ts',
  why: 'It counts the names that the package exports, and asks for each who imports it.',
}

/** A capability fewer is a kind of rows fewer. */
export const countedKinds: readonly Edit[] = ['found', 'dropped'].map((rows) => ({
  file: 'packages/identity/test/storage/corrupted-rows.test.ts',
  from: `t.equal(${rows}.length, 13)`,
  to: `t.equal(${rows}.length, 12)`,
  why: 'The test counts kinds of rows.',
}))
