/** How many random bytes {@link suggestedPassword} takes. */
export const suggestedPasswordRandomBytes = 9

/**
 * A password that can be read out and typed on any keyboard, such as `nomipa-taruko-bilosu`: nine syllables of one of 16 consonants and one of
 * 4 vowels, which are those of proquints (D. Wilkerson, arXiv:0901.4016). Each byte gives one of 64 syllables, evenly, so that it has 54 bits.
 * Syllables rather than words: words of one language say nothing in another, and a list of them is as long as a page.
 *
 * It uses nothing but its parameter, so that a page can take it along.
 * @param bytes {@link suggestedPasswordRandomBytes} random bytes
 */
export function suggestedPassword(bytes: Uint8Array): string {
  const syllables = Array.from(
    bytes,
    (byte) => 'bdfghjklmnprstvz'.charAt(byte & 15) + 'aiou'.charAt((byte >> 4) & 3),
  )
  return syllables.map((syllable, at) => (at > 0 && at % 3 === 0 ? '-' : '') + syllable).join('')
}
