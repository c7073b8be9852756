import { AST_NODE_TYPES, ASTUtils, type TSESLint, type TSESTree } from '@typescript-eslint/utils'
import type { Rule } from 'eslint'
import { checkSync } from 'recheck'

/**
 * Requires patterns that take linear time on every text: a stranger chooses many of the texts, and one of 50 characters can keep an
 * exponential pattern busy for hours. A pattern that is put together from values of other files cannot be checked: what makes it linear
 * is said where the rule is switched off for it.
 */
const rule: TSESLint.RuleModule<'slow' | 'unknown'> = {
  meta: {
    type: 'problem',
    docs: { description: 'Require patterns that take linear time' },
    messages: {
      slow: 'This pattern takes {{complexity}} time, for example on {{attack}}.',
      unknown:
        'This pattern is put together when the program runs, so nobody has checked how much time it takes.',
    },
    schema: [],
  },
  create(context) {
    const check = (node: TSESTree.Node, source: string, flags: string): void => {
      const found = complexityOf(source, flags)
      if (found !== undefined) context.report({ node, messageId: 'slow', data: found })
    }
    const checkCall = (node: TSESTree.NewExpression | TSESTree.CallExpression): void => {
      if (node.callee.type !== AST_NODE_TYPES.Identifier || node.callee.name !== 'RegExp') return
      const scope = context.sourceCode.getScope(node)
      const [source, flags] = [0, 1].map((at) => {
        const argument = node.arguments[at]
        return argument === undefined ? '' : ASTUtils.getStaticValue(argument, scope)?.value
      })
      if (typeof source === 'string' && typeof flags === 'string') check(node, source, flags)
      else context.report({ node, messageId: 'unknown' })
    }
    return {
      Literal(node) {
        if ('regex' in node) check(node, node.regex.pattern, node.regex.flags)
      },
      NewExpression: checkCall,
      CallExpression: checkCall,
    }
  },
}

/** ESLint and typescript-eslint declare one thing with two types. */
export const linearPatterns = rule as unknown as Rule.RuleModule

/** How long a pattern may be looked at, in milliseconds: longer than it takes on a busy machine. */
const timeout = 120_000

type Complexity = Readonly<Record<'complexity' | 'attack', string>>

/** How much more than linear time a pattern takes; `undefined` for one that is linear. */
function complexityOf(source: string, flags: string): Complexity | undefined {
  const found = checkSync(source, flags, { timeout })
  if (found.status === 'safe') return undefined
  if (found.status === 'unknown')
    return { complexity: 'an unknown', attack: `any text (${found.error.kind})` }
  return { complexity: found.complexity.summary, attack: found.attack.pattern }
}
