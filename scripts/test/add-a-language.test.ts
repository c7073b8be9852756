import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { languages } from '../../packages/core/src/index.ts'
import { listsOf } from '../languages.mjs'

const root = join(import.meta.dirname, '..', '..')
const packages = join(root, 'packages')

/** The two places. Esperanto says here what German does. */
const list = join(packages, 'core', 'src', 'shared', 'language.ts')
const folder = join(packages, 'texts', 'src', 'eo')
const german = join(packages, 'texts', 'src', 'de')

const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: packages }).map((name) => join(packages, name))

t.test('the lists of texts are those that the tags in core make', async (t) => {
  for (const [path, text] of await listsOf(languages))
    t.equal(readFileSync(path, 'utf8'), text, 'run npm run write languages')
})

t.test('with its folder, its tag and the lists written, a language fits all sources and tests', async (t) => {
  const names = (file: string): boolean =>
    /\bLanguage\b|\blanguages\b|@sotto\/texts/.test(readFileSync(file, 'utf8'))
  const users = filesOf('*/{src,test}/**/*.ts').filter(names)
  const added = filesOf('texts/src/de/*.ts').map((file) => join(folder, basename(file)))
  const lists = await listsOf(languages.flatMap((tag) => (tag === 'en' ? ['en', 'eo'] : [tag])))
  t.same(problemsOf([...users, ...added], lists), [])
  t.ok(users.length > 40)
  const texts = [...lists.keys()]
  t.equal(problemsOf(texts, new Map()).length, texts.length, 'each list that is not written is a problem')
})

t.test('no other source names a language', (t) => {
  const others = filesOf('!(test-kit)/src/**/*.ts').filter(
    (file) => file !== list && !/\/texts\/src\/\w\w\//.test(file),
  )
  const name = /'(?:de|fr|es|ar|ja)'|\b(?:de|fr|es|ar|ja): /
  t.same(
    others.filter((file) => name.test(readFileSync(file, 'utf8'))),
    [],
  )
  t.end()
})

/** What the compiler says about these files when the language is in its two places and these lists are written. */
function problemsOf(files: readonly string[], lists: ReadonlyMap<string, string>): string[] {
  const base = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(base.config, ts.sys, root)
  const compilerOptions = {
    ...options,
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
  }
  const host = ts.createCompilerHost(compilerOptions)
  const real = (path: string): string => (path.startsWith(folder) ? path.replace(folder, german) : path)
  const readFile = (file: string): string | undefined =>
    file === list
      ? readFileSync(list, 'utf8').replace("'en', ", "'en', 'eo', ")
      : (lists.get(file) ?? ts.sys.readFile(real(file)))
  const program = ts.createProgram(files, compilerOptions, {
    ...host,
    readFile,
    fileExists: (file) => ts.sys.fileExists(real(file)),
    directoryExists: (directory) => ts.sys.directoryExists(real(directory)),
    realpath: (path) => (path.startsWith(folder) ? path : (host.realpath?.(path) ?? path)),
    getSourceFile(file, version) {
      const text = readFile(file)
      return text === undefined ? undefined : ts.createSourceFile(file, text, version)
    },
  })
  return files.flatMap((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  )
}
