/** How many titles one call looks at, at most: more than the quota lets an account create in the lifetime of a link. */
export const searchedMax = 50_000

/**
 * The part of a text that counts in a search: neither case nor accents, and compatible characters are the same (Unicode, NFKD). Upper case,
 * because it depends on no neighbour, as the Greek sigma does in lower case, and makes `ß` the same as `SS`. Marks that make another
 * letter, as in Devanagari or Japanese, count.
 */
export function foldText(text: string): string {
  if (isAscii.test(text)) return text.toUpperCase()
  return text.normalize('NFKD').replaceAll(accents, '').normalize('NFC').toUpperCase()
}

const isAscii = /^[\0-\x7f]*$/
/** Combining diacritical marks, and the vowel signs of Arabic. */
const accents = /[\u0300-\u036f\u064b-\u0652]/g

/** The words of a search, folded. */
export function searchWords(text: string): readonly string[] {
  return foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Whether a title contains every one of the folded words, in any order. */
export function containsWords(title: string, words: readonly string[]): boolean {
  const folded = foldText(title)
  return words.every((word) => folded.includes(word))
}
