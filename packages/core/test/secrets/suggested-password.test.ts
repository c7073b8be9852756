import t from 'tap'
import { suggestedPassword, suggestedPasswordRandomBytes } from '../../src/secrets/suggested-password.ts'

/** What one byte makes of the syllable at a position, for all bytes. */
function syllablesAt(at: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (let byte = 0; byte < 256; byte += 1) {
    const bytes = new Uint8Array(suggestedPasswordRandomBytes)
    bytes[at] = byte
    const syllable = suggestedPassword(bytes)
      .replaceAll('-', '')
      .slice(2 * at, 2 * at + 2)
    counts.set(syllable, (counts.get(syllable) ?? 0) + 1)
  }
  return counts
}

// Promise (The owner's pages): A suggested password has at least 50 bits
t.test('each byte chooses its syllable evenly, which makes at least 50 bits', (t) => {
  let bits = 0
  for (let at = 0; at < suggestedPasswordRandomBytes; at += 1) {
    const counts = syllablesAt(at)
    t.strictSame(new Set(counts.values()).size, 1, 'all syllables are equally likely')
    bits += Math.log2(counts.size)
  }
  t.equal(bits, 54)
  t.end()
})

t.test('it reads as syllables in groups, and depends on its bytes alone', (t) => {
  const bytes = Uint8Array.from([9, 40, 59, 13, 91, 190, 231, 18, 60])
  t.match(
    suggestedPassword(bytes),
    /^(?:[bdfghjklmnprstvz][aiou]){3}(?:-(?:[bdfghjklmnprstvz][aiou]){3}){2}$/,
  )
  t.equal(suggestedPassword(bytes), suggestedPassword(Uint8Array.from(bytes)))
  t.end()
})

t.test('its source text works alone, and is short', (t) => {
  const source = suggestedPassword.toString()
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- as a page's script does
  const alone = new Function(`return (${source})`)() as typeof suggestedPassword
  const bytes = Uint8Array.from({ length: suggestedPasswordRandomBytes }, (_, at) => at * 29)
  t.equal(alone(bytes), suggestedPassword(bytes))
  t.ok(source.length < 400)
  t.end()
})
