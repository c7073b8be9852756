import { join } from 'node:path'
import ts from 'typescript'
import { root } from './documents.ts'

/** Where the examples are taken to be: a file there can import every package of the workspace. */
const folder = join(root, 'packages', 'server', 'test', 'support')

/**
 * The compiler's errors in texts that are files nowhere, with the strictness of this repository. Imported files are not checked.
 *
 * @param texts by what the errors call them, which must be fit for the name of a file
 */
export function typeErrors(texts: Readonly<Record<string, string>>): readonly string[] {
  const files = new Map(Object.entries(texts).map(([name, text]) => [join(folder, `${name}.ts`), text]))
  const options = { ...readOptions(), noEmit: true, composite: false, incremental: false, declaration: false }
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (path) => files.has(path) || fileExists.call(host, path)
  host.readFile = (path) => files.get(path) ?? readFile.call(host, path)
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path)
    return text === undefined
      ? getSourceFile.call(host, path, version, ...rest)
      : ts.createSourceFile(path, text, version)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)
    const errors = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return errors.map(
      ({ messageText }) =>
        `${file.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  })
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => ts.sys.readFile(path)) as {
    config: object
  }
  return ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root).options
}
