import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'

// What others install: the sources as the compiler writes them.

type Manifest = Readonly<
  Partial<
    Record<'dependencies' | 'peerDependencies' | 'optionalDependencies', Readonly<Record<string, string>>>
  >
>

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

// Promise (Clients): The client needs @sotto/sealed alone, which needs nothing
t.test('the JavaScript and the declarations import @sotto/sealed and no other package', async (t) => {
  const files = [...written].filter(([name]) => /\.(js|d\.ts)$/.test(name))
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  t.equal(files.length, 2 * sources.filter((name) => name.endsWith('.ts')).length)
  for (const [name, text] of files) {
    const { importedFiles, typeReferenceDirectives, libReferenceDirectives } = ts.preProcessFile(text)
    t.strictSame(
      importedFiles.filter(({ fileName }) => !/^\.{1,2}\/|^@sotto\/sealed$/.test(fileName)),
      [],
      name,
    )
    t.strictSame([...typeReferenceDirectives, ...libReferenceDirectives], [], name)
  }
})

t.test('the package depends on @sotto/sealed, which depends on nothing', async (t) => {
  const dependenciesOf = (name: string) => {
    const manifest = JSON.parse(readFileSync(join(folder, '..', name, 'package.json'), 'utf8')) as Manifest
    const { dependencies = {}, peerDependencies = {}, optionalDependencies = {} } = manifest
    return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
  }
  t.strictSame(dependenciesOf('client'), ['@sotto/sealed'])
  t.strictSame(dependenciesOf('sealed'), [])
})
