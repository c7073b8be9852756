import { pageScript } from '@sotto/html'
import { languages } from '@sotto/core'
import t from 'tap'
import { fileChoice, formSending, sizeWords } from '../../src/files/file-scripts.ts'
import { startWithFiles } from '../support/files.ts'

/** What is sent only where files are taken, and is of no use without them. */
const filesScript = pageScript(sizeWords, fileChoice, formSending).element.length

// Promise (The owner's pages): New secret has at most 31.5 KiB in English beside the script of its files, 33.5 in languages with longer words or letters of more bytes
t.test('the page of a new secret has at most 31.5 KiB beside the script of its files', async (t) => {
  const dashboard = await startWithFiles(t, {
    files: { maxBytes: 26_214_400, accountMaxBytes: 1_073_741_824 },
  })
  for (const language of languages) {
    const { body } = await dashboard.get('/secrets/new', {
      as: dashboard.owner,
      headers: { 'accept-language': language },
    })
    const bytes = Buffer.byteLength(body) - filesScript
    t.comment(`${language}: ${String(bytes)} bytes`)
    t.ok(bytes <= (language === 'en' ? 31.5 : 33.5) * 1_024, `${String(bytes)} bytes in ${language}`)
  }
})
