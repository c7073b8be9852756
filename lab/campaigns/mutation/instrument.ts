import { stripTypeScriptTypes } from 'node:module'
import ts from 'typescript'
import { isWithinChain, mutationsOf, shown, type Mutation } from './mutators.ts'

/** One change of a source. Two mutants of a file never have the same line, scope and name. */
export interface Mutant {
  readonly id: number
  /** The file's path from the root of the checkout. */
  readonly path: string
  readonly line: number
  /** The function or constant that contains it, at the top level of the file. */
  readonly scope: string
  /** What is changed into what. */
  readonly name: string
}

export interface Instrumented {
  /** JavaScript that contains all mutants. `globalThis.mutants.at(id)` says whether a mutant takes effect. */
  readonly code: string
  readonly mutants: readonly Mutant[]
}

/** Puts all mutants of a TypeScript file into one source. */
export function instrument(path: string, source: string, firstId: number): Instrumented {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS)
  const mutants: Mutant[] = []

  const add = (node: ts.Node, name: string): string => {
    const id = firstId + mutants.length
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
    mutants.push({ id, path, line, scope: scopeOf(node), name })
    return `globalThis.mutants.at(${id})`
  }
  const chosen = (node: ts.Expression, mutations: readonly Mutation[], original: string): string => {
    const branches = mutations.map(({ text, name }) => `${add(node, name)} ? (${text}) : `)
    return branches.length === 0 ? original : `(${branches.join('')}${original})`
  }
  const render = (node: ts.Node): string => {
    if (isLeftAlone(node)) return node.getText(file)
    if (ts.isExpressionStatement(node)) return statement(node)
    if (ts.isBlock(node) && isBody(node)) return body(node)
    const original = parts(node)
    return isReplaceable(node) ? chosen(node, mutationsOf(node, file), original) : original
  }
  const statement = (node: ts.ExpressionStatement): string => {
    const condition = add(node, `without ${shown(node.getText(file))}`)
    return `{ if (!${condition}) ${parts(node)} }`
  }
  const body = (node: ts.Block): string => {
    const [first, ...more] = node.statements
    if (first === undefined || (more.length === 0 && ts.isExpressionStatement(first))) return parts(node)
    const condition = add(node.parent, `${shown(node.parent.getText(file).slice(0, 60))} does nothing`)
    return `{ if (${condition}) return; ${parts(node).slice(1)}`
  }
  /** The text of a node with that of its children replaced. */
  const parts = (node: ts.Node): string => {
    let text = ''
    let end = node.getStart(file)
    ts.forEachChild(node, (child) => {
      text += source.slice(end, child.getStart(file)) + render(child)
      end = child.end
    })
    return text + source.slice(end, node.end)
  }

  const typed = parts(file) + source.slice(file.end)
  return { code: stripTypeScriptTypes(typed, { mode: 'strip' }), mutants }
}

/**
 * Types, imports and exports have no mutants. Neither has what no test can notice: messages for people, which may change; what wipes memory,
 * into which nothing can look; and the names of encodings that Node.js takes by default, or that give the same bytes.
 */
function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  if (ts.isExpressionStatement(node)) return node.expression.getText().endsWith('.fill(0)')
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
    const isSentence = /^.[A-Z].* .*\..$/s.test(node.getText())
    return isSentence || ["'utf8'", "'ascii'"].includes(node.getText())
  }
  if (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node)
  )
    return true
  return (
    ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text.endsWith('Error')
  )
}

function isBody(node: ts.Block): boolean {
  return ts.isFunctionLike(node.parent) && !ts.isConstructorDeclaration(node.parent)
}

/** Whether an expression in parentheses may stand in the place of this node. */
function isReplaceable(node: ts.Node): node is ts.Expression {
  if (!ts.isExpression(node) || isWithinChain(node)) return false
  const { parent } = node
  if ('name' in parent && parent.name === node) return false
  if ('propertyName' in parent && parent.propertyName === node) return false
  if (ts.isTaggedTemplateExpression(parent) || ts.isExpressionWithTypeArguments(parent)) return false
  const isTarget = ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken)
  return !isTarget
}

function isAssignment({ kind }: ts.Node): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

/** The name of the declaration at the top level of the file that contains a node. */
function scopeOf(node: ts.Node): string {
  let at = node
  while (!ts.isSourceFile(at.parent)) {
    if ((ts.isMethodDeclaration(at) || ts.isPropertyDeclaration(at)) && ts.isClassDeclaration(at.parent))
      return at.name.getText()
    at = at.parent
  }
  if (ts.isVariableStatement(at))
    return at.declarationList.declarations.map(({ name }) => name.getText()).join(' ')
  return 'name' in at ? ((at.name as ts.Node | undefined)?.getText() ?? '') : ''
}
