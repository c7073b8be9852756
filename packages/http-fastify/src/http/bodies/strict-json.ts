import { isUtf8 } from 'node:buffer'
import { err, ok, type Result } from 'neverthrow'
import { problems, type Problem } from '../answers/problems.ts'

/** Keeps a byte order mark, which JSON.parse then refuses, and throws on invalid UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The most keys in one document. No request needs a tenth of them; without a bound, a body of nothing but keys takes seconds. */
const keysMax = 1_000

/**
 * Parses JSON (RFC 8259) that every parser reads in the same way. It has valid UTF-8 without a byte order mark, no duplicate key in an
 * object, no key `__proto__`, and 1,000 keys at most. Takes linear time, whatever the depth.
 * @errors a problem that says when the text has another encoding
 */
export function parseStrictJson(bytes: Uint8Array): Result<unknown, Problem> {
  try {
    const text = utf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return hasRefusedKey(text) ? err(problems.badJson) : ok(value)
  } catch {
    // The message of the error quotes the text, so the error is dropped.
    return err(problemOf(bytes))
  }
}

/** Two of the first bytes of JSON are ASCII, so a zero there is half of a character (RFC 4627, section 3). */
function problemOf(bytes: Uint8Array): Problem {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return problems.byteOrderMark
  const hasWideMark = (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)
  if (hasWideMark || first === 0 || second === 0) return problems.utf16
  return isUtf8(bytes) ? problems.badJson : problems.noUtf8
}

/** Whether valid JSON has a key that is refused. A string is a key if a colon follows it. */
function hasRefusedKey(json: string): boolean {
  const objects: (Set<string> | undefined)[] = []
  let count = 0
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at)
    if (char === 0x7b || char === 0x5b) objects.push(undefined)
    else if (char === 0x7d || char === 0x5d) objects.pop()
    else if (char === 0x22) {
      const end = stringEnd(json, at)
      if (isKey(json, end)) {
        const key = JSON.parse(json.slice(at, end)) as string
        const keys = (objects[objects.length - 1] ??= new Set())
        if (key === '__proto__' || keys.has(key) || (count += 1) > keysMax) return true
        keys.add(key)
      }
      at = end - 1
    }
  }
  return false
}

/** The index after the string that begins at `start`. */
function stringEnd(json: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = json.indexOf('"', at)
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === 0x5c) escapes += 1
    if (escapes % 2 === 0) return at + 1
  }
}

function isKey(json: string, from: number): boolean {
  let at = from
  while (' \t\n\r'.includes(json.charAt(at)) && at < json.length) at += 1
  return json.charCodeAt(at) === 0x3a
}
