import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'

// What others install: the sources as the compiler writes them.

const folder = join(import.meta.dirname, '..')
const written = new Map<string, string>()
const config = ts.getParsedCommandLineOfConfigFile(
  join(folder, 'tsconfig.json'),
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined,
  },
)
const { fileNames = [], options = {} } = config ?? {}
const program = ts.createProgram(fileNames, { ...options, noCheck: true })
program.emit(undefined, (name, text) => written.set(name, text))

// Promise (Clients): The client has no dependencies, and its declarations need none
t.test('neither the JavaScript nor the declarations import another package', async (t) => {
  const files = [...written].filter(([name]) => /\.(js|d\.ts)$/.test(name))
  t.equal(files.length, 2 * readdirSync(join(folder, 'src')).length)
  for (const [name, text] of files) {
    const { importedFiles, typeReferenceDirectives, libReferenceDirectives } = ts.preProcessFile(text)
    t.strictSame(
      importedFiles.filter(({ fileName }) => !fileName.startsWith('./')),
      [],
      name,
    )
    t.strictSame([...typeReferenceDirectives, ...libReferenceDirectives], [], name)
  }
})

t.test('the package has no dependencies', async (t) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
  t.notOk('dependencies' in manifest || 'peerDependencies' in manifest || 'optionalDependencies' in manifest)
})
