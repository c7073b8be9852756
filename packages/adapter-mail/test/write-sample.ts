// Writes a mail as HTML into a file, to look at it in a browser, and prints the same mail as text.
//
//   node test/write-sample.ts FILE [LANGUAGE]
import { parseLanguage } from '@sotto/core'
import { writeFileSync } from 'node:fs'
import { htmlOf } from '../src/letter/html.ts'
import { letterOf } from '../src/letter/letter.ts'
import { textOf } from '../src/letter/text.ts'
import { makeMail, opened } from './support/mails.ts'

const [, , file, tag = 'en'] = process.argv
const language = parseLanguage(tag)
if (file === undefined || language === undefined) {
  console.error('usage: node test/write-sample.ts FILE [en|de|fr|es|ar|ja]')
  process.exit(2)
}
const mail = makeMail({ language, content: { ...opened(), label: 'Router in the attic' } })
const letter = letterOf({ mail, name: 'Sotto', base: new URL('https://sotto.example') })
writeFileSync(file, htmlOf(letter))
console.log(`${letter.subject}\n\n${textOf(letter)}`)
