import { readFileSync } from 'node:fs'
import t from 'tap'
import { configurationDocument, documentedSettings } from '../../src/config/document.ts'

t.test('docs/configuration.md is up to date', async (t) => {
  const written = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  t.equal(written, configurationDocument(), 'run: node packages/server/src/config/write-document.ts')
})

t.test('every setting is documented with its default and with what it takes', async (t) => {
  for (const { name, description, takes, default: byDefault } of documentedSettings()) {
    t.match(description, /^[A-Z].*\.$/s, `${name} has a description in sentences`)
    t.not(takes, '', name)
    t.not(byDefault, '', name)
  }
})
