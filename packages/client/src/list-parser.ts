import { malformed, SottoError } from './errors.ts'

/** Takes the text of a list's answer in pieces, wherever it is cut. Both methods throw a `SottoError` for a text that is no such answer. */
export interface ListParser {
  /** The entries of the list that this piece completes. */
  push(piece: string): readonly unknown[]
  /** Throws also when the text is not complete. */
  end(): void
}

/** The frame where the list's next entry may begin. */
const beforeEntry = /"data"\s*:\s*\[\s*(?:0\s*,\s*)?$/

/** No entry is longer: a label has 255 characters. Nor is the text around all entries. In UTF-16 code units. */
const entryMaxLength = 65_536
const frameMaxLength = 1_024

/**
 * Finds the entries, which are objects, of `{"success":true,…,"data":[{…},{…}]}` by counting brackets outside of strings, and parses each
 * by itself. The text around them is the frame, in which one `0` stands for all entries so far; it must be an answer when the text ends.
 */
export function createListParser(): ListParser {
  let frame = ''
  let entry: string | undefined
  let depth = 0
  let inString = false
  let escaped = false

  function checkLengths(): void {
    if (frame.length > frameMaxLength || (entry ?? '').length > entryMaxLength) throw malformed('not a list')
  }

  function beginEntry(): void {
    checkLengths()
    if (!beforeEntry.test(frame)) throw malformed('not a list')
    entry = ''
  }

  function completeEntry(rest: string): unknown {
    const complete = (entry ?? '') + rest
    entry = undefined
    frame = `${frame.replace(/0\s*,\s*$/, '')}0`
    return parsed(complete)
  }

  /** Whether the character belongs to a string. */
  function passString(character: string): boolean {
    if (!inString) return (inString = character === '"')
    if (escaped) escaped = false
    else if (character === '\\') escaped = true
    else if (character === '"') inString = false
    return true
  }

  return {
    push(piece) {
      const entries: unknown[] = []
      let from = 0
      for (let at = 0; at < piece.length; at += 1) {
        const character = piece.charAt(at)
        if (passString(character)) continue
        if (character === '{' || character === '[') {
          if (depth === 2 && entry === undefined) {
            frame += piece.slice(from, at)
            from = at
            beginEntry()
          }
          depth += 1
        } else if (character === '}' || character === ']') {
          depth -= 1
          if (depth !== 2 || entry === undefined) continue
          entries.push(completeEntry(piece.slice(from, at + 1)))
          from = at + 1
        }
      }
      if (entry === undefined) frame += piece.slice(from)
      else entry += piece.slice(from)
      checkLengths()
      return entries
    },
    end() {
      if (depth > 0) throw new SottoError('network_failure', 'The list was cut off.')
      const body = parsed(frame) as { readonly success?: unknown; readonly data?: unknown } | null
      if (body?.success !== true || !Array.isArray(body.data)) throw malformed('not a list')
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('not JSON')
  }
}
