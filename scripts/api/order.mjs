// Puts what the compiler infers into one order. It prints the members of an inferred union or object in the order in which it met them,
// which differs between a build from nothing and one that goes on from an earlier build.
import ts from 'typescript'

const printer = ts.createPrinter()
const bare = ts.createPrinter({ removeComments: true })

/** A declaration as text, without `export`. Interfaces and type aliases stay as they were written: nothing in them is inferred.
 * @param {ts.Node} statement @param {{ withComments: boolean }} options */
export function textOf(statement, { withComments }) {
  const source = statement.getSourceFile()
  const isWritten = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
  if (isWritten && withComments) return statement.getText().replace(/^export /, '')
  const { transformed } = ts.transform(statement, isWritten ? [] : [inOrder])
  const text = transformed.map((node) =>
    (withComments ? printer : bare).printNode(ts.EmitHint.Unspecified, node, source),
  )
  return text
    .join('\n')
    .replace(/^\/\*\*[^]*?\*\/\s*/, '')
    .replace(/^export /, '')
}

/** @type {ts.TransformerFactory<ts.Node>} */
function inOrder(context) {
  return visit

  /** @param {ts.Node} node @returns {ts.Node} */
  function visit(node) {
    const visited = ts.visitEachChild(node, visit, context)
    if (ts.isUnionTypeNode(visited)) return ts.factory.createUnionTypeNode(sorted(visited.types))
    if (ts.isTypeLiteralNode(visited)) return ts.factory.createTypeLiteralNode(sorted(visited.members))
    return withoutPath(visited)
  }

  /** @template {ts.Node} N @param {readonly N[]} nodes @returns {N[]} */
  function sorted(nodes) {
    return nodes.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }

  /** What says that there may be no value stands last. @param {ts.Node} node */
  function keyOf(node) {
    const text = bare.printNode(ts.EmitHint.Unspecified, node, fileOf(node))
    return /^(?:null|undefined)$/.test(text) ? `~${text}` : text
  }
}

/** `Quota` in place of `import('./use-cases/take-quota.ts').Quota`: which file of the package the compiler names depends on what it read first.
 * @param {ts.Node} node @returns {ts.Node} */
function withoutPath(node) {
  const isOwn =
    ts.isImportTypeNode(node) &&
    /^['"]\./.test(bare.printNode(ts.EmitHint.Unspecified, node.argument, fileOf(node)))
  if (!isOwn || node.qualifier === undefined || node.isTypeOf) return node
  return ts.factory.createTypeReferenceNode(node.qualifier, node.typeArguments)
}

/** @param {ts.Node} node */
function fileOf(node) {
  return ts.getOriginalNode(node).getSourceFile()
}
