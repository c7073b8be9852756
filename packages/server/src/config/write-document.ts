import { mkdirSync, writeFileSync } from 'node:fs'
import { configurationDocument } from './document.ts'

/** Writes docs/configuration.md of this repository. */
const docs = new URL('../../../../docs/', import.meta.url)
mkdirSync(docs, { recursive: true })
writeFileSync(new URL('configuration.md', docs), configurationDocument())
