import ts from 'typescript'

/** A piece of a text that goes. */
export interface Cut {
  readonly start: number
  readonly end: number
  /** Whether it is an import, which belongs to what it is imported for. */
  readonly isImport: boolean
}

/** The file as the compiler sees it. */
type File = ts.SourceFile

/**
 * The smallest element of a list around a node: of an array, an object, an interface, a union, an intersection, a tuple, a destructuring, an
 * import, an export, of what an interface extends, or of the cases of a switch. `undefined` when the node stands in none.
 *
 * The top of a package is a list of statements, and so is a test file: there a statement is an element, too.
 */
export function elementAround(file: File, node: ts.Node, isTop: boolean, isTest: boolean): Cut | undefined {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    const { parent } = at
    if (ts.isImportSpecifier(at)) return specifierCut(file, at, parent as ts.NamedImports)
    if (ts.isExportSpecifier(at)) return specifierCut(file, at, parent as ts.NamedExports)
    if (ts.isImportDeclaration(at)) return whole(at, true)
    if (ts.isExportDeclaration(at)) return whole(at, false)
    if (ts.isUnionTypeNode(parent) || ts.isIntersectionTypeNode(parent)) return memberCut(file, at, parent)
    if (ts.isHeritageClause(parent)) return heritageCut(file, at, parent)
    if (isElement(at)) return withComma(file, at)
    // A variant of a union has no other fields without this one.
    if (ts.isTypeLiteralNode(parent) && ts.isUnionTypeNode(parent.parent)) continue
    if (ts.isPropertySignature(at) || ts.isMethodSignature(at)) return whole(at, false)
    if (ts.isCaseClause(at)) return caseCut(file, at)
    if (isTest && ts.isSourceFile(parent)) return whole(at, false)
    // What the package exports stays when a step of it names what is gone.
    if (isTop && !isTest && ts.isBlock(at) && isExported(parent)) return undefined
    if (isTop && !isTest && ts.isStatement(at) && !ts.isBlock(at) && isLine(at)) return whole(at, false)
  }
  return undefined
}

/** Whether a function is one that a file exports. */
function isExported(node: ts.Node): boolean {
  const declared = ts.isVariableDeclaration(node.parent) ? node.parent.parent.parent : node
  return (
    (ts.isFunctionDeclaration(declared) || ts.isVariableStatement(declared)) &&
    declared.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  )
}

function isElement(node: ts.Node): boolean {
  return (
    ts.isArrayLiteralExpression(node.parent) ||
    ts.isTupleTypeNode(node.parent) ||
    (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) ||
    (ts.isObjectLiteralElementLike(node) && ts.isObjectLiteralExpression(node.parent))
  )
}

/** Whether a statement of a file at the top of a package stands for itself: a call, or a declaration of the file. */
function isLine(node: ts.Statement): boolean {
  return ts.isExpressionStatement(node) || ts.isSourceFile(node.parent)
}

function whole(node: ts.Node, isImport: boolean): Cut {
  return { start: node.getFullStart(), end: node.getEnd(), isImport }
}

function withComma({ text }: File, node: ts.Node, isImport = false): Cut {
  const end = node.getEnd()
  const comma = /^\s*,/.exec(text.slice(end, end + 200))?.[0].length ?? 0
  return { start: node.getFullStart(), end: end + comma, isImport }
}

function specifierCut(
  file: File,
  node: ts.ImportSpecifier | ts.ExportSpecifier,
  { elements, parent }: ts.NamedImports | ts.NamedExports,
): Cut {
  const declaration = ts.isImportClause(parent) ? parent.parent : parent
  return elements.length === 1 ? whole(declaration, true) : withComma(file, node, true)
}

/** A case goes with what it does, unless a case before it does the same. */
function caseCut({ text }: File, clause: ts.CaseClause): Cut {
  const { clauses } = clause.parent
  const before = clauses[clauses.indexOf(clause) - 1]
  if (before?.statements.length !== 0) return whole(clause, false)
  return {
    start: clause.getFullStart(),
    end: text.indexOf(':', clause.expression.getEnd()) + 1,
    isImport: false,
  }
}

function memberCut(
  { text }: File,
  node: ts.Node,
  { types, kind, ...union }: ts.UnionTypeNode | ts.IntersectionTypeNode,
): Cut {
  const separator = kind === ts.SyntaxKind.UnionType ? '|' : '&'
  const before = text.lastIndexOf(separator, node.getStart())
  const next = types[types.findIndex((each) => each === node) + 1]
  if (before < union.pos && next !== undefined)
    return { start: node.getStart(), end: next.getStart(), isImport: false }
  return { start: before, end: node.getEnd(), isImport: false }
}

function heritageCut(file: File, node: ts.Node, clause: ts.HeritageClause): Cut {
  if (clause.types.length === 1) return whole(clause, false)
  if (clause.types.at(-1) !== node) return withComma(file, node)
  return { start: file.text.lastIndexOf(',', node.getStart()), end: node.getEnd(), isImport: false }
}

/** The text without the cuts, and how many of them are no imports and in no other. */
export function cutOut(
  text: string,
  cuts: readonly Cut[],
): { readonly text: string; readonly count: number } {
  const outer: Cut[] = []
  let count = 0
  for (const cut of cuts.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = outer.at(-1)
    const isInside = last !== undefined && cut.end <= last.end
    if (!isInside && !cut.isImport) count += 1
    if (last === undefined || cut.start >= last.end) outer.push(cut)
    else outer[outer.length - 1] = { ...last, end: Math.max(last.end, cut.end) }
  }
  let rest = text
  for (const { start, end } of outer.toReversed()) rest = rest.slice(0, start) + rest.slice(end)
  return { text: rest, count }
}
