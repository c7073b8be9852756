import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { filesIn } from '../../support/tree.ts'

/** The forms in which bytes may be written: raw, hexadecimal, base64 and base64url. */
export function formsOf(bytes: Uint8Array): readonly Buffer[] {
  const raw = Buffer.from(bytes)
  const texts = [raw.toString('hex'), raw.toString('hex').toUpperCase()]
  // The base64 of a text depends on whether 0, 1 or 2 other bytes precede it. The characters at its ends depend on those as well.
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), raw])
    const [first, last] = [Math.ceil((before * 4) / 3), Math.floor((shifted.length * 4) / 3)]
    for (const encoding of ['base64', 'base64url'] as const)
      texts.push(shifted.toString(encoding).slice(first, last - 1))
  }
  return [raw, ...texts.map((text) => Buffer.from(text))]
}

/** What to look for: names and bytes. */
export type Needles = Readonly<Record<string, Uint8Array>>

/** Where needles were found in any form: `name in file`. */
export function hitsIn(paths: readonly string[], needles: Needles): readonly string[] {
  const forms = Object.entries(needles).map(([name, bytes]) => [name, formsOf(bytes)] as const)
  return paths.flatMap((path) => {
    const bytes = readFileSync(path)
    return forms
      .filter(([, each]) => each.some((form) => bytes.includes(form)))
      .map(([name]) => `${name} in ${basename(path)}`)
  })
}

/** The names of needles that were found in a text, such as a log. */
export function hitsInText(text: string, needles: Needles): readonly string[] {
  const bytes = Buffer.from(text)
  return Object.entries(needles)
    .filter(([, each]) => formsOf(each).some((form) => bytes.includes(form)))
    .map(([name]) => name)
}

/**
 * Which ciphertexts the files of a directory contain a part of: any eight bytes that begin at a multiple of eight. Reads every file once,
 * however many ciphertexts there are.
 */
export function survivorsIn(directory: string, ciphertexts: Needles): readonly string[] {
  const parts = new Map<number, { readonly high: number; readonly name: string }[]>()
  for (const [name, ciphertext] of Object.entries(ciphertexts)) {
    const bytes = Buffer.from(ciphertext)
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      const low = bytes.readUInt32LE(at)
      parts.set(low, [...(parts.get(low) ?? []), { high: bytes.readUInt32LE(at + 4), name }])
    }
  }
  const survivors = new Set<string>()
  for (const path of filesIn(directory)) {
    const bytes = readFileSync(path)
    for (let at = 0; at + 8 <= bytes.length; at += 1) {
      for (const { high, name } of parts.get(bytes.readUInt32LE(at)) ?? [])
        if (bytes.readUInt32LE(at + 4) === high) survivors.add(`${name} in ${basename(path)}`)
    }
  }
  return [...survivors].sort()
}
