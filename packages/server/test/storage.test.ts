import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const source = join(import.meta.dirname, '..', 'src')
const adapterImport = /from '@sotto\/adapter-(?!(?:node-crypto|mail|webhook)')/

t.test('storage.ts is the only source file that imports a storage adapter', async (t) => {
  const importing = globSync('**/*.ts', { cwd: source }).filter((file) =>
    adapterImport.test(readFileSync(join(source, file), 'utf8')),
  )
  t.strictSame(importing, ['storage.ts'])
})
