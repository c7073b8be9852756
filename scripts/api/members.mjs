// The members of an exported type that need a docstring of their own: those whose name and type leave something open.
import ts from 'typescript'

/** A name that ends like this states its unit. */
const UNIT = /(?:Micros|Millis|Seconds|Bytes|Count)$/

/** Types that say nothing about what a value means. */
const PLAIN = new Set(['number', 'bigint', 'boolean', 'Uint8Array'])

/** The members without a docstring, as `Name.member`, that need one:
 * - each method and each property that is a function;
 * - each field of a type whose name ends in `Options`;
 * - each number, boolean or bytes whose name does not state the unit.
 * A docstring of the type that has the member's name in backticks is enough. The others need none: strings and ids, which their names
 * explain, literals such as an error's `code`, and types with a docstring of their own.
 * @param {string} name @param {ts.Node} statement @returns {string[]} */
export function undocumentedMembers(name, statement) {
  if (ts.isFunctionDeclaration(statement) || ts.isVariableStatement(statement)) return []
  /** @type {string[]} */
  const found = []
  const described = new Set((statement.getFullText().match(/`\w+`/g) ?? []).map((code) => code.slice(1, -1)))
  visit(statement, name)
  return found

  /** @param {ts.Node} node @param {string} path @returns {void} */
  function visit(node, path) {
    if (ts.isTypeNode(node) && ts.isFunctionTypeNode(node)) return
    const member = ts.isTypeElement(node) || ts.isClassElement(node) ? node : undefined
    if (member?.name === undefined) return ts.forEachChild(node, (child) => visit(child, path))
    if (isPrivate(member)) return
    const own = member.name.getText()
    const hasDoc = described.has(own) || ts.getJSDocCommentsAndTags(member).length > 0
    if (!hasDoc && needsDoc(name, member)) found.push(`${path}.${own}`)
    if (!isMethod(member)) ts.forEachChild(member, (child) => visit(child, `${path}.${own}`))
  }
}

/** @param {string} name @param {ts.TypeElement | ts.ClassElement} member */
function needsDoc(name, member) {
  if (isMethod(member)) return true
  if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member)) return false
  const types = typesIn(member.type)
  if (name.endsWith('Options') || types.some((type) => ts.isFunctionTypeNode(type))) return true
  return types.some((type) => PLAIN.has(type.getText())) && !UNIT.test(member.name.getText())
}

/** @param {ts.Node} member */
function isMethod(member) {
  return ts.isMethodSignature(member) || ts.isMethodDeclaration(member)
}

/** The parts of a union, or the type itself. @param {ts.TypeNode | undefined} type @returns {readonly ts.TypeNode[]} */
function typesIn(type) {
  if (type === undefined) return []
  if (ts.isParenthesizedTypeNode(type)) return typesIn(type.type)
  return ts.isUnionTypeNode(type) ? type.types.flatMap(typesIn) : [type]
}

/** @param {ts.Node} node */
function isPrivate(node) {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
  )
}
