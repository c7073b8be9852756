import { readFileSync } from 'node:fs'
import t from 'tap'
import { sealedScripts } from '../browser/bundle.ts'

t.test('the scripts of pages that encrypt and decrypt are those of their sources', async (t) => {
  t.equal(
    readFileSync(new URL('../src/sealed-scripts.ts', import.meta.url), 'utf8'),
    await sealedScripts(),
    'npm run write sealed-scripts',
  )
})
