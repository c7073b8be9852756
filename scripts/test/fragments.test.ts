import { join } from 'node:path'
import t from 'tap'
import { complaint, fragmentsIn, fragmentsOf } from '../fragments.mjs'

const root = join(import.meta.dirname, '..', '..')

t.test('the sources have no fragments', (t) => {
  t.equal(complaint(fragmentsIn(root)), undefined)
  t.end()
})

t.test('a comment without a subject is a fragment', (t) => {
  const fragments = [
    '/** With what one gets in, and all that will be sent. */',
    '/** It supports what its receiver can be made to do. */',
    '/** With its target, which stayed behind. */',
    '/** They are by their ids alone. */',
    '/** Of the first answer, if it is a strong one. */',
    '/** At its beginning. */',
    '/** Which of them is read. @param {string} name */',
    '// The same for Exchange.',
    '/* By creation and id. */',
  ]
  for (const fragment of fragments)
    t.equal(fragmentsOf(`const a = 1\n  ${fragment}\n`, 'a.ts').length, 1, fragment)
  t.strictSame(fragmentsOf('\n  // For Exchange.', 'a.ts'), ['a.ts:2 For Exchange.'])
  t.strictSame(fragmentsOf('// For Exchange,\n// and others.', 'a.ts'), ['a.ts:1 For Exchange,'])
  t.strictSame(fragmentsOf('/**\n * By id,\n * and time.\n */', 'a.ts'), ['a.ts:2 By id,'])
  t.strictSame(fragmentsOf('/** By id,\n * and time. */', 'a.ts'), ['a.ts:1 By id,'])
  t.end()
})

t.test('a sentence is none, nor the name of a thing', (t) => {
  const sentences = [
    '/** The bytes of a key. */',
    '/** What a file is called at its sender. */',
    '/** Whether the link is spent. */',
    '/** At most `limit` secrets after the cursor. */',
    '// Overwriting works on a full disk.',
    "const text = 'a' // of the first answer",
  ]
  for (const sentence of sentences) t.strictSame(fragmentsOf(sentence, 'a.ts'), [], sentence)
  t.strictSame(fragmentsOf('// A line that goes on\n// in the next one.', 'a.ts'), [])
  t.strictSame(fragmentsOf('/**\n * A line that goes on\n * in the next one.\n */', 'a.ts'), [])
  t.end()
})

t.test('the complaint names each fragment', (t) => {
  t.equal(
    complaint(['a.ts:1 By id.', 'b.ts:2 Of it.']),
    'a.ts:1 By id.\nb.ts:2 Of it.\n2 comments begin without a subject',
  )
  t.equal(complaint([]), undefined)
  t.end()
})
