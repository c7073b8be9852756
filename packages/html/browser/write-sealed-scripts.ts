import { writeFileSync } from 'node:fs'
import { sealedScripts } from './bundle.ts'

writeFileSync(new URL('../src/sealed-scripts.ts', import.meta.url), await sealedScripts())
