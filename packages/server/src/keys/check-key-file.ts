import { openKeyFile } from '@sotto/adapter-node-crypto'
import type { Finding } from '@sotto/core'
import { keyPlaceFaults } from './key-places.ts'
import { counted } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'

const check = 'key file'

/** Checks that nobody else can replace the key file. */
export function checkKeyPlace(path: string): readonly Finding[] {
  return keyPlaceFaults(path).map(({ text }) => bad(check, text))
}

/**
 * Checks that the key file can be read, is complete, and is readable by its owner only.
 * @param hasData whether there is data that it is for; `undefined` where that is not known
 */
export function checkKeyFile(path: string, hasData: boolean | undefined): Finding {
  const opened = openKeyFile(path)
  if (opened.isOk()) {
    const keys = counted(opened.value.keys.length, 'key')
    return good(check, `${path} holds ${keys} and is readable by its owner only`)
  }
  const { code, message } = opened.error
  if (code !== 'key_file_missing') return bad(check, message.replace(/\.$/, ''))
  if (hasData === undefined)
    return unchecked(check, `the database cannot be reached, and ${path} does not exist`)
  if (!hasData) return good(check, `${path} does not exist yet: the first start creates it`)
  return bad(check, `there is none at ${path}, and without it nothing can be read: put it back`)
}
