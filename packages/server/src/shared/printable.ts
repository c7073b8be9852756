import { replaceUnseen } from '@sotto/core'

/** Text that is safe to print on a terminal: characters that nobody would see, or that change how the rest is read, become escapes. */
export function printable(text: string): string {
  return replaceUnseen(text, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`)
}

/** A text of several lines that a terminal can show: line breaks and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(/(?:(?!\r?\n|\t)[^])+/g, printable)
}
