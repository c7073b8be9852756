import ts from 'typescript'
import { isSql, sqlMutations } from './sql.ts'

/** One change of a node: its text, and what to call it. */
export interface Mutation {
  readonly text: string
  readonly name: string
}

/** The other operators that each binary operator is replaced by. */
const otherOperators: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['|'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
}

/** Methods and their opposites; `undefined`: the call is replaced by what it was called on. */
const otherMethods: Readonly<Record<string, string | undefined>> = {
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
  round: 'floor',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  isOk: 'isErr',
  isErr: 'isOk',
  filter: undefined,
  slice: undefined,
  subarray: undefined,
  trim: undefined,
  sort: undefined,
  toSorted: undefined,
  reverse: undefined,
  normalize: undefined,
}

/** All changes of an expression by itself, without those of its parts. */
export function mutationsOf(node: ts.Expression, file: ts.SourceFile): readonly Mutation[] {
  return [...byKind(node, file), ...ofCondition(node), ...ofResult(node, file), ...ofChain(node, file)]
}

function byKind(node: ts.Expression, file: ts.SourceFile): readonly Mutation[] {
  const text = node.getText(file)
  if (ts.isBinaryExpression(node)) return ofBinary(node, file)
  if (ts.isPrefixUnaryExpression(node)) return ofUnary(node, file)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ text: 'false', name: '`true` → `false`' }]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ text: 'true', name: '`false` → `true`' }]
  if (ts.isNumericLiteral(node)) return ofNumber(node, text)
  if (ts.isStringLiteral(node)) return ofString(text, node.text)
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) return ofTemplate(text)
  if (ts.isRegularExpressionLiteral(node)) return ofRegExp(text)
  if (ts.isObjectLiteralExpression(node)) return ofObject(node, file)
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0)
    return [{ text: '[]', name: `${shown(text)} → \`[]\`` }]
  if (ts.isCallExpression(node)) return ofCall(node, file)
  return []
}

function ofBinary(node: ts.BinaryExpression, file: ts.SourceFile): readonly Mutation[] {
  const operator = node.operatorToken.getText(file)
  const [left, right] = [node.left.getText(file), node.right.getText(file)]
  const whole = shown(node.getText(file))
  if (operator === '??')
    return [left, right].map((text) => ({ text: `(${text})`, name: `${whole} → ${shown(text)}` }))
  if (operator === '+' && [node.left, node.right].some(isText)) return []
  return (otherOperators[operator] ?? []).map((other) => ({
    text: `${left} ${other} ${right}`,
    name: `\`${operator}\` → \`${other}\` in ${whole}`,
  }))
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

function ofUnary(node: ts.PrefixUnaryExpression, file: ts.SourceFile): readonly Mutation[] {
  const [whole, operand] = [node.getText(file), node.operand.getText(file)]
  const replaced = (text: string) => [{ text, name: `${shown(whole)} → ${shown(text)}` }]
  switch (node.operator) {
    case ts.SyntaxKind.ExclamationToken:
    case ts.SyntaxKind.MinusToken:
      return replaced(operand)
    case ts.SyntaxKind.PlusPlusToken:
      return replaced(`--${operand}`)
    case ts.SyntaxKind.MinusMinusToken:
      return replaced(`++${operand}`)
    default:
      return []
  }
}

/** One more; of a large factor twice as much, because one more of it would hardly change the product. */
function ofNumber(node: ts.NumericLiteral, text: string): readonly Mutation[] {
  const { parent } = node
  const isFactor = ts.isBinaryExpression(parent) && ['*', '/'].includes(parent.operatorToken.getText())
  const changed = isFactor && Number(node.text) > 999 ? `2 * ${text}` : `${text} + 1`
  return [{ text: `(${changed})`, name: `\`${text}\` → \`${changed}\`` }]
}

function ofString(text: string, value: string): readonly Mutation[] {
  const sql = isSql(value) ? sqlMutations(text) : []
  return [{ text: value === '' ? "'mutant'" : "''", name: `${shown(text)} → another string` }, ...sql]
}

/** Mutants of a template: each operator changed if it is SQL; else another string. */
function ofTemplate(text: string): readonly Mutation[] {
  return isSql(text) ? sqlMutations(text) : [{ text: "''", name: `${shown(text)} → another string` }]
}

/** Anchors removed, counts raised, negations dropped. An empty pattern is `(?:)`, because `//` begins a comment. */
function ofRegExp(text: string): readonly Mutation[] {
  const changes: readonly (readonly [pattern: RegExp, by: string])[] = [
    [/^\/\^/, '/'],
    [/\$(\/\w*)$/, '$1'],
    [/\{(\d+)\}/, '{0,$1}'],
    [/\{(\d+),(\d*)\}/, '{0,$2}'],
    [/\[\^/, '['],
    [/(?<=[\])\w])\+/, '*'],
  ]
  return changes
    .map(([pattern, by]) => text.replace(pattern, by).replace(/^\/\//, '/(?:)/'))
    .filter((changed) => changed !== text)
    .map((changed) => ({ text: changed, name: `${shown(text)} → ${shown(changed)}` }))
}

/** Emptied, and without each of the objects that are spread into it. */
function ofObject(node: ts.ObjectLiteralExpression, file: ts.SourceFile): readonly Mutation[] {
  if (node.properties.length === 0) return []
  const emptied = { text: '({})', name: `${shown(node.getText(file))} → \`{}\`` }
  const spread = node.properties.filter(ts.isSpreadAssignment).map((removed) => ({
    text: `({ ${node.properties
      .filter((each) => each !== removed)
      .map((each) => each.getText(file))
      .join(', ')} })`,
    name: `without ${shown(removed.getText(file))}`,
  }))
  return node.properties.length === 1 ? [emptied] : [emptied, ...spread]
}

function ofCall(node: ts.CallExpression, file: ts.SourceFile): readonly Mutation[] {
  const { expression: called } = node
  if (!ts.isPropertyAccessExpression(called)) return []
  if (!Object.hasOwn(otherMethods, called.name.text)) return []
  const other = otherMethods[called.name.text]
  const on = called.expression.getText(file)
  const whole = shown(node.getText(file))
  if (other === undefined) return [{ text: `(${on})`, name: `${whole} → ${shown(on)}` }]
  const rest = file.text.slice(called.name.end, node.end)
  const dot = called.questionDotToken === undefined ? '.' : '?.'
  return [{ text: `${on}${dot}${other}${rest}`, name: `\`${called.name.text}\` → \`${other}\` in ${whole}` }]
}

/** What a function of one expression returns. */
function ofResult(node: ts.Expression, file: ts.SourceFile): readonly Mutation[] {
  const { parent } = node
  if (!ts.isArrowFunction(parent) || parent.body !== node || node.getText(file) === 'undefined') return []
  return [{ text: 'undefined', name: `${shown(parent.getText(file))} returns \`undefined\`` }]
}

/** What a decision depends on is made always true, and always false. */
function ofCondition(node: ts.Expression): readonly Mutation[] {
  const { parent } = node
  const decides =
    (ts.isConditionalExpression(parent) && parent.condition === node) ||
    ((ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node)
  if (!decides || node.kind === ts.SyntaxKind.TrueKeyword) return []
  const text = shown(node.getText())
  return ['true', 'false'].map((value) => ({ text: value, name: `${text} → \`${value}\`` }))
}

/** Each `?.` of a chain made `.`, at the outermost node of the chain. */
function ofChain(node: ts.Expression, file: ts.SourceFile): readonly Mutation[] {
  if (!ts.isOptionalChain(node) || isWithinChain(node)) return []
  const start = node.getStart(file)
  const links: Mutation[] = []
  for (let at: ts.Expression = node; ts.isOptionalChain(at); at = at.expression) {
    const { questionDotToken: token } = at as ts.PropertyAccessExpression
    if (token === undefined) continue
    const [before, after] = [
      file.text.slice(start, token.getStart(file)),
      file.text.slice(token.end, node.end),
    ]
    const text = `${before}${ts.isPropertyAccessExpression(at) ? '.' : ''}${after}`
    links.push({ text, name: `${shown(node.getText(file))} → ${shown(text)}` })
  }
  return links
}

/** Whether a node is the beginning of an optional chain that goes on. It cannot be replaced by an expression in parentheses. */
export function isWithinChain(node: ts.Expression): boolean {
  const { parent } = node
  return ts.isOptionalChain(parent) && parent.expression === node && ts.isOptionalChain(node)
}

/** A piece of source on one line, as code. */
export function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', "'")
  return `\`${line.length > 100 ? `${line.slice(0, 99)}…` : line}\``
}
