import { languages, type RequestPreview } from '@sotto/core'
import { brandOf, createLocalizer } from '@sotto/html'
import { linkTexts } from '@sotto/texts/link'
import t from 'tap'
import { closedRequestPage, receivedPage, requestPage } from '../../src/requests/pages.ts'

const localizedFor = createLocalizer(linkTexts, brandOf())
const formId = '0'.repeat(32)
const closesAtMicros = Date.UTC(2026, 11, 20, 12, 57) * 1_000
const preview: RequestPreview = {
  title: 'Password of your router',
  text: 'It is on the back.\nAnd the name of the network.',
  from: 'Ada, Lindenhof',
  closesAtMicros,
  remainingSeconds: 90_000,
  fileMaxBytes: 26_214_400,
}

t.test('the page of a request has at most 14 KiB in every language and state', async (t) => {
  for (const language of languages) {
    const localized = localizedFor(language)
    const { fileMaxBytes: _, ...plain } = preview
    const pages = {
      plain: requestPage(localized, { preview: { ...plain, fileMaxBytes: undefined }, formId }),
      files: requestPage(localized, { preview, formId }),
      'files refused': requestPage(localized, {
        preview,
        formId,
        note: 'typed',
        filesFault: 'Too large.',
        hasFiles: true,
      }),
      'nothing typed': requestPage(localized, { preview, formId, fault: 'Please fill in this field.' }),
      received: receivedPage(localized, closesAtMicros),
      closed: closedRequestPage(localized),
    }
    for (const [kind, { body }] of Object.entries(pages)) {
      t.comment(`${language} ${kind}: ${body.length} bytes`)
      t.ok(body.length <= 14 * 1_024, `${language} ${kind}: ${body.length} bytes`)
    }
  }
})

t.test('with the script that encrypts its answer it has at most 18.5 KiB', async (t) => {
  const key = `BA${'_-'.repeat(42)}A`
  for (const language of languages) {
    const sealed = { preview: { ...preview, key, noteMaxBytes: 65_536 }, formId }
    const bytes = Buffer.byteLength(requestPage(localizedFor(language), sealed).body)
    t.comment(`${language}: ${bytes} bytes`)
    t.ok(bytes <= 18.5 * 1_024, `${language}: ${bytes} bytes`)
  }
})
