import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { cutOut, elementAround, type Cut } from './elements.ts'

/** What a sweep did, and what it could not do. */
export interface Swept {
  /** How many elements of lists it took out. */
  readonly elements: number
  /** The places that name what is gone and are no elements of a list, each with file, line and what the compiler says. */
  readonly remaining: readonly string[]
}

/** The codes of the compiler, in the order in which they are looked at: a name that is gone can make other errors of any kind. */
const tiers: readonly (readonly number[])[] = [
  // A name or a module does not exist.
  [2304, 2305, 2307, 2552, 2614, 2694, 2724, 18004],
  // A property, a case or a text is none that the type has.
  [2339, 2344, 2353, 2551, 2561, 2678, 2820],
  // An element of a list is no longer one: it was an object with a property that was taken out, or a text.
  [2741, 2345, 2322],
  // A declaration or an import is not used any more.
  [6133, 6192, 6196, 6198],
]

/**
 * Takes the elements that name what is gone out of the lists of the given projects, in their order, until the compiler finds no more of
 * them. It asks the compiler where they are.
 */
export function sweep(directory: string, projects: readonly string[]): Swept {
  const parsed = new Map<string, ts.SourceFile>()
  const swept = projects.map((name) =>
    sweepProject(directory, join(directory, 'packages', name, 'tsconfig.json'), parsed),
  )
  return {
    elements: swept.reduce((sum, { elements }) => sum + elements, 0),
    remaining: swept.flatMap(({ remaining }) => remaining),
  }
}

function sweepProject(directory: string, project: string, parsed: Map<string, ts.SourceFile>): Swept {
  let elements = 0
  let only: ReadonlySet<string> | undefined
  let before: ts.Program | undefined
  for (;;) {
    const program = programOf(project, parsed, before)
    before = program
    const own = program.getRootFileNames().filter((name) => only === undefined || only.has(name))
    const found = own.flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)))
    const cuts = firstCuts(program, found)
    if (cuts.size > 0) {
      for (const [file, some] of cuts) {
        const { text, count } = cutOut(file.text, some)
        if (isEmptied(file, text)) rmSync(file.fileName)
        else writeFileSync(file.fileName, text)
        elements += count
      }
      // The others are looked at again when these are quiet.
      only = new Set(found.flatMap(({ file }) => (file === undefined ? [] : [file.fileName])))
    } else if (only !== undefined) only = undefined
    else return { elements, remaining: found.map((each) => placeOf(directory, each)) }
  }
}

/** Whether a test file has no test any more: then nothing in it uses tap. */
function isEmptied({ fileName, text: before }: ts.SourceFile, text: string): boolean {
  return fileName.endsWith('.test.ts') && before.includes(" from 'tap'") && !text.includes(" from 'tap'")
}

function programOf(
  project: string,
  parsed: Map<string, ts.SourceFile>,
  oldProgram: ts.Program | undefined,
): ts.Program {
  const { config } = ts.readConfigFile(project, (path) => ts.sys.readFile(path)) as { config: unknown }
  const { options: given, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, join(project, '..'))
  const options = { ...given, noEmit: true, composite: false, declaration: false, declarationMap: false }
  const host = ts.createCompilerHost(options)
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, version) => {
    const text = ts.sys.readFile(name)
    if (text === undefined) return undefined
    const known = parsed.get(name)
    if (known?.text === text) return known
    const file = ts.createSourceFile(name, text, version, true)
    parsed.set(name, file)
    return file
  }
  const rest = oldProgram === undefined ? {} : { oldProgram }
  return ts.createProgram({ rootNames: fileNames, options, host: { ...host, getSourceFile }, ...rest })
}

/** The cuts by file that the first of the {@link tiers} with any leads to. */
function firstCuts(
  program: ts.Program,
  found: readonly ts.Diagnostic[],
): ReadonlyMap<ts.SourceFile, readonly Cut[]> {
  for (const codes of tiers) {
    const cuts = new Map<ts.SourceFile, Cut[]>()
    for (const each of found.filter(({ code }) => codes.includes(code)))
      for (const [file, cut] of cutsFor(program, each)) cuts.set(file, [...(cuts.get(file) ?? []), cut])
    if (cuts.size > 0) return cuts
  }
  return new Map()
}

function cutsFor(
  program: ts.Program,
  { file, start, length, code, messageText }: ts.Diagnostic,
): readonly (readonly [ts.SourceFile, Cut])[] {
  if (file === undefined || start === undefined) return []
  const node = nodeAt(file, start, start + (length ?? 0))
  const cutOf = (named: ts.Node): readonly (readonly [ts.SourceFile, Cut])[] => {
    const cut = cutAround(file, named)
    return cut === undefined ? [] : [[file, cut]]
  }
  if (code === 2344) return unknownNames(program, node).flatMap(cutOf)
  if (code === 2322) return ts.isStringLiteral(node) ? cutOf(node) : []
  if (code === 2741) return ts.isArrayLiteralExpression(node.parent) ? cutOf(node) : []
  // An object that is given to a function, such as a case of a contract.
  if (code === 2345) return isIncomplete(node, messageText) ? cutOf(node.parent) : []
  if (code === 2339) {
    const [, name = ''] = /^Property '(.*?)'/.exec(ts.flattenDiagnosticMessageText(messageText, ' ')) ?? []
    if (!node.getText().includes(name)) return textTypes(file, name).flatMap(cutOf)
  }
  if (code === 6198 && ts.isObjectBindingPattern(node)) return node.elements.flatMap(cutOf)
  const declaration = ts.findAncestor(node, ts.isImportDeclaration)
  // An import without a name is for what it does.
  if (declaration !== undefined && declaration.importClause === undefined) return []
  if (code === 6133 || code === 6192 || code === 6196) {
    const unused = unusedDeclaration(node)
    if (unused !== undefined) return [[file, unused]]
  }
  return cutOf(node)
}

/** The outermost node that takes these places. */
function nodeAt(file: ts.SourceFile, start: number, end: number): ts.Node {
  let found: ts.Node = file
  const visit = (node: ts.Node): void => {
    if (node.getStart(file) > start || node.getEnd() < end) return
    found = node
    if (node.getStart(file) === start && node.getEnd() === end) return
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  return found
}

/** The texts of a `Pick` or the like that name no property of the type. */
function unknownNames(program: ts.Program, node: ts.Node): readonly ts.Node[] {
  const reference = ts.findAncestor(
    node,
    (each) => ts.isTypeReferenceNode(each) && each.typeArguments?.length === 2,
  )
  const [picked, names] = (reference as ts.TypeReferenceNode | undefined)?.typeArguments ?? []
  if (picked === undefined || names === undefined) return []
  const checker = program.getTypeChecker()
  const type = checker.getTypeFromTypeNode(picked)
  const all = ts.isUnionTypeNode(names) ? names.types : [names]
  return all.filter(
    (each) =>
      ts.isLiteralTypeNode(each) &&
      ts.isStringLiteral(each.literal) &&
      checker.getPropertyOfType(type, each.literal.text) === undefined,
  )
}

/** Whether an object that a function takes for the value of a property lacks a property. */
function isIncomplete(node: ts.Node, message: string | ts.DiagnosticMessageChain): boolean {
  return (
    ts.isObjectLiteralExpression(node) &&
    ts.isPropertyAssignment(node.parent.parent) &&
    ts.flattenDiagnosticMessageText(message, ' ').includes(' is missing in type ')
  )
}

/** The places of a file where a text is a type, such as the names in `'a' | 'b'`. */
function textTypes(file: ts.SourceFile, text: string): readonly ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) && node.literal.text === text)
      found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** A declaration of a module that nothing uses any more. */
function unusedDeclaration(node: ts.Node): Cut | undefined {
  const statement = ts.findAncestor(node, (each) => ts.isSourceFile(each.parent))
  if (statement === undefined || ts.isImportDeclaration(statement)) return undefined
  const names = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name)
    : [(statement as ts.DeclarationStatement).name]
  if (!names.some((name) => name === node || node === statement)) return undefined
  return { start: statement.getFullStart(), end: statement.getEnd(), isImport: true }
}

function placeOf(directory: string, { file, start, code, messageText }: ts.Diagnostic): string {
  const message = ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 200)
  if (file === undefined) return message
  const { line } = file.getLineAndCharacterOfPosition(start ?? 0)
  const text = file.text.split('\n')[line]?.trim() ?? ''
  return `${relative(directory, file.fileName)}:${line + 1} ${text} (TS${code}: ${message})`
}

/**
 * Takes the elements of lists out that have one of these names or texts. `remaining` are the names that no list has, and the places
 * that are in no list.
 */
export function sweepNames(directory: string, names: readonly string[]): Swept {
  const left = new Set(names)
  const remaining: string[] = []
  let elements = 0
  for (const path of globSync('packages/*/{src,test}/**/*.ts', { cwd: directory })) {
    const fileName = join(directory, path)
    const text = readFileSync(fileName, 'utf8')
    if (!names.some((each) => text.includes(each))) continue
    const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true)
    const cuts: Cut[] = []
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit)
      const name = ts.isStringLiteral(node) ? `'${node.text}'` : ts.isIdentifier(node) ? node.text : ''
      if (!names.includes(name)) return
      const cut = cutAround(file, isNameOfElement(node) ? node.parent.parent : node)
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      if (cut === undefined) remaining.push(`${path}:${line + 1} names ${name} outside of lists`)
      else cuts.push(cut)
      left.delete(name)
    }
    visit(file)
    const cut = cutOut(text, cuts)
    writeFileSync(fileName, cut.text)
    elements += cut.count
  }
  return { elements, remaining: [...remaining, ...[...left].map((name) => `no list names ${name}`)] }
}

/** Whether a text is the value of a property of an object in an array, which is called so. */
function isNameOfElement(node: ts.Node): boolean {
  const { parent } = node
  const isValue = ts.isPropertyAssignment(parent) && parent.initializer === node
  return isValue && ts.isArrayLiteralExpression(parent.parent.parent)
}

function cutAround(file: ts.SourceFile, node: ts.Node): Cut | undefined {
  const isTest = /\/packages\/[^/]+\/test\//.test(file.fileName)
  const isTop = /\/packages\/[^/]+\/src\/[^/]+$/.test(file.fileName)
  return elementAround(file, node, isTop, isTest)
}
