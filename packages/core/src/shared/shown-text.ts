/*
 * One rule for every text that people are shown: titles, labels, names, names of files, what a request asks for. With characters that nobody
 * sees, two texts look alike, or a text looks empty. With others, the text around them is read in another order (Unicode, UAX #9).
 */

/**
 * What nobody sees, or what changes the order or the lines of what is seen: control characters, halves of surrogate pairs, separators of lines
 * and paragraphs, what Unicode lets fonts ignore (UAX #44, Default_Ignorable_Code_Point: zero-width characters, characters and marks of
 * direction, fillers, tags, variation selectors), annotations, and the controls of hieroglyphs.
 */
const unseenClass = String.raw`[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{1343f}]`

const unseen = new RegExp(unseenClass, 'u')

/** A letter, mark or number that is seen. */
const inWord = String.raw`(?!${unseenClass})[\p{L}\p{M}\p{N}]`

/** Letters and marks of the scripts whose words have joiners: cursive ones, and those of South and Southeast Asia. */
const joined = scriptsWith([
  ...['Adlm', 'Arab', 'Mand', 'Mong', 'Nkoo', 'Phag', 'Rohg', 'Syrc'],
  ...['Bali', 'Beng', 'Cakm', 'Cham', 'Deva', 'Gujr', 'Guru', 'Java', 'Khmr', 'Knda', 'Lana', 'Limb', 'Mlym'],
  ...['Mtei', 'Mymr', 'Newa', 'Orya', 'Saur', 'Sinh', 'Sund', 'Sylo', 'Taml', 'Telu', 'Tibt'],
])

/** Letters and marks of the scripts that separate words by what is not seen. */
const unspaced = scriptsWith(['Khmr', 'Lana', 'Laoo', 'Mymr', 'Talu', 'Thai'])

/** Where one of them belongs to what is seen. */
const meaningful = [
  // Pictures that are joined, presented as text or picture, or put on a key (UTS #51, section 1.4), and the flags of England, Scotland, Wales.
  String.raw`(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
  // One joiner or non-joiner may stand inside words (UAX #31, section 2.3); a Persian ending may follow a Latin abbreviation or a number.
  String.raw`(?<=${joined})\u200d`,
  String.raw`(?<=${joined})\u200c(?=${inWord})|(?<=${inWord})\u200c(?=${joined})`,
  String.raw`(?<=${unspaced})\u200b(?=${unspaced})`,
  // Forms of one letter: Mongolian ones, and ideographs as they are in names.
  String.raw`(?<=${scriptsWith(['Mong'])})[\u180b-\u180f]|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
].join('|')

/** One of them; in the first group where it belongs to what is seen. */
// eslint-disable-next-line sotto/linear-patterns -- one character each, and no more than one before it and after it
const eachUnseen = new RegExp(`(${meaningful})|${unseenClass}`, 'gu')

/** What is seen: neither a space nor blank in another way, such as the Braille pattern without dots. */
const seen = new RegExp(`(?!${unseenClass})[^\\p{Z}\\u2800\\u{13441}\\u{13442}\\u{1d159}]`, 'u')

/** What is shown for a character that nobody would see. */
const replacement = '\ufffd'

/** Whether anything of `text` is seen. */
export function isSeen(text: string): boolean {
  return seen.test(text)
}

/** Whether `text` has something that nobody sees, or that changes how the rest is read, where it does not belong to what is seen. */
export function hasUnseen(text: string): boolean {
  let isFound = false
  replaceUnseen(text, (character) => {
    isFound = true
    return character
  })
  return isFound
}

/** Every such character of `text` replaced. */
export function replaceUnseen(text: string, by: (character: string) => string): string {
  if (!unseen.test(text)) return text
  return text.replace(eachUnseen, (found, kept?: string) => kept ?? by(found))
}

/**
 * A text as it can be shown to anybody, whatever it has: those that were stored before there was this rule may break it. What breaks it
 * becomes U+FFFD, and so does a text of which nothing is seen.
 */
export function shownText(text: string): string {
  return isSeen(text) ? replaceUnseen(text, () => replacement) : replacement
}

/** A text of several lines as it is shown: line breaks and tabs stay, and so do lines of which nothing is seen. */
export function shownLines(text: string): string {
  return text.replace(/[^\n\t]+/g, (part) => replaceUnseen(part, () => replacement))
}

/** A pattern for one letter or mark that is seen, and that one of the scripts has. */
function scriptsWith(scripts: readonly string[]): string {
  return `(?=${inWord})(?!\\p{N})[${scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]`
}
