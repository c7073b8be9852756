// What a package exports, read from its built declarations: the text that its users' compilers and editors read.
import ts from 'typescript'
import { undocumentedMembers } from './members.mjs'

/** One exported name. `text` is its declaration with the docstrings of its members, `undocumented` what lacks a docstring:
 * the name itself, or `Name.member`. @typedef {{ name: string, doc: string, text: string, undocumented: string[] }} Name */

/** What a package exports: the docstring of the package, and its names in alphabetical order.
 * @typedef {{ doc: string, names: Name[] }} Surface */

/** @type {ts.CompilerOptions} */
const OPTIONS = { module: ts.ModuleKind.NodeNext, noLib: true, types: [], noEmit: true }

/** The surfaces of packages, in the order of the files. @param {readonly string[]} files their built `index.d.ts` */
export function surfacesOf(files) {
  const program = ts.createProgram(files, OPTIONS, hostOf(OPTIONS))
  const checker = program.getTypeChecker()
  return files.map((file) => surfaceOf(program.getSourceFile(file), checker, file))
}

/** Reads the files of the packages and no others: what a package exports is declared in it.
 * @param {ts.CompilerOptions} options */
function hostOf(options) {
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text.startsWith('.') ? ts.resolveModuleName(text, from, options, host) : { resolvedModule: undefined },
    )
  return host
}

/** @param {ts.SourceFile | undefined} source @param {ts.TypeChecker} checker @param {string} file @returns {Surface} */
function surfaceOf(source, checker, file) {
  const module = source && checker.getSymbolAtLocation(source)
  if (source === undefined || module === undefined)
    throw new Error(`${file} is missing or exports nothing: build the packages first`)
  const names = checker.getExportsOfModule(module).map((symbol) => nameOf(symbol, checker))
  return { doc: moduleDocOf(source.text), names: names.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** @param {ts.Symbol} exported @param {ts.TypeChecker} checker @returns {Name} */
function nameOf(exported, checker) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const statements = (symbol.declarations ?? []).map(statementOf)
  if (statements.length === 0) return reExported(exported)
  const members = statements.flatMap((statement) => undocumentedMembers(exported.name, statement))
  return {
    name: exported.name,
    doc: docOf(symbol, checker),
    text: statements.map((statement) => textOf(statement)).join('\n'),
    undocumented:
      symbol.getDocumentationComment(checker).length === 0 ? [exported.name, ...members] : members,
  }
}

/** A name that another package declares and documents. @param {ts.Symbol} exported @returns {Name} */
function reExported({ name, declarations = [] }) {
  const [declaration] = declarations
  const statement = declaration && ts.findAncestor(declaration, ts.isExportDeclaration)
  if (statement?.moduleSpecifier === undefined) throw new Error(`${name} has no declaration`)
  const text = `export { ${name} } from ${statement.moduleSpecifier.getText()}`
  return { name, doc: 'The same as there.', text, undocumented: [] }
}

/** @param {ts.Declaration} declaration */
function statementOf(declaration) {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
}

/** A declaration as its file has it, without its own docstring, `export`, and the paths of files of its package.
 * @param {ts.Node} statement */
function textOf(statement) {
  return statement
    .getText()
    .replace(/^export /, '')
    .replaceAll(/import\(['"]\.[^'"]*['"]\)\./g, '')
}

/** The docstring as Markdown, with its tags as a list. @param {ts.Symbol} symbol @param {ts.TypeChecker} checker */
function docOf(symbol, checker) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const tags = symbol.getJsDocTags(checker).map((tag) => {
    const [name, rest = ''] = ts.displayPartsToString(tag.text).split(/ (.*)/s)
    return tag.name === 'param' ? `- \`${name}\`: ${rest}` : `- _${tag.name}_: ${`${name} ${rest}`.trim()}`
  })
  return [text, tags.join('\n')]
    .filter(Boolean)
    .join('\n\n')
    .replaceAll(/\{@link (.+?)\}/g, '`$1`')
}

/** The comment that begins the file. @param {string} text */
function moduleDocOf(text) {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(text) ?? []
  return comment.replaceAll(/^ *\*? ?/gm, '').trim()
}
