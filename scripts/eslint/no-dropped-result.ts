import { AST_NODE_TYPES, ESLintUtils, type TSESLint, type TSESTree } from '@typescript-eslint/utils'
import type { Rule } from 'eslint'
import type { Type } from 'typescript'

/**
 * Expected errors are values, and a value can be ignored by mistake. This rule reports a statement whose value is a neverthrow Result, a
 * ResultAsync, or a promise of either, also behind `void` and `await`. (eslint-plugin-neverthrow does not run on ESLint 10.)
 */
const rule: TSESLint.RuleModule<'dropped'> = {
  meta: {
    type: 'problem',
    docs: { description: 'Disallow ignoring a Result of neverthrow' },
    messages: { dropped: 'This Result is dropped: handle its error, return it, or give it a name.' },
    schema: [],
  },
  create(context) {
    const services = ESLintUtils.getParserServices(context)
    const checker = services.program.getTypeChecker()

    const isResult = (type: Type): boolean => {
      const awaited = checker.getAwaitedType(type) ?? type // a ResultAsync is a promise of a Result
      return (awaited.isUnion() ? awaited.types : [awaited]).some(isOkOrErr)
    }
    return {
      ExpressionStatement({ expression }) {
        for (const node of valuesOf(expression)) {
          if (isResult(services.getTypeAtLocation(node))) context.report({ node, messageId: 'dropped' })
        }
      },
    }
  },
}

/** ESLint and typescript-eslint declare one thing with two types. */
export const noDroppedResult = rule as unknown as Rule.RuleModule

/** Result<T, E> is the union of the classes Ok and Err. */
function isOkOrErr(type: Type): boolean {
  const symbol = type.getSymbol()
  if (symbol?.name !== 'Ok' && symbol?.name !== 'Err') return false
  const files = symbol.declarations?.map((declaration) => declaration.getSourceFile().fileName) ?? []
  return files.some((file) => file.includes('/node_modules/neverthrow/'))
}

/** The expressions whose values an expression statement throws away. */
function valuesOf(node: TSESTree.Expression): TSESTree.Expression[] {
  switch (node.type) {
    case AST_NODE_TYPES.AssignmentExpression:
      return []
    case AST_NODE_TYPES.UnaryExpression:
      return node.operator === 'void' ? valuesOf(node.argument) : []
    case AST_NODE_TYPES.LogicalExpression:
      return valuesOf(node.right)
    case AST_NODE_TYPES.ConditionalExpression:
      return [...valuesOf(node.consequent), ...valuesOf(node.alternate)]
    default:
      return [node]
  }
}
