import { createRequire } from 'node:module'

/** What is used of a node of parse5. */
interface Node {
  readonly nodeName: string
  readonly tagName?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly Node[]
  readonly value?: string
}

interface Parser {
  parse(source: string, options: { onParseError: (error: { code: string }) => void }): Node
}

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The text of the element and of everything in it. */
  readonly text: string
  readonly children: readonly Element[]
}

/** What a browser makes of a page (HTML Standard, “parsing HTML documents”). */
export interface ReadPage {
  /** All elements, in their order. */
  readonly elements: readonly Element[]
  readonly hasComments: boolean
  /** The parser's errors. */
  readonly errors: readonly string[]
}

const { parse } = createRequire(new URL('../../../packages/adapter-mail/package.json', import.meta.url))(
  'parse5',
) as Parser

export function readPage(source: string): ReadPage {
  const errors: string[] = []
  let hasComments = false
  const elements: Element[] = []
  const read = (node: Node): Element => {
    const attributes = Object.fromEntries((node.attrs ?? []).map(({ name, value }) => [name, value]))
    const children: Element[] = []
    const element = { name: node.tagName ?? '', attributes, text: textOf(node), children }
    if (node.tagName !== undefined) elements.push(element)
    for (const child of node.childNodes ?? []) {
      if (child.nodeName === '#comment') hasComments = true
      if (child.tagName !== undefined) children.push(read(child))
    }
    return element
  }
  read(parse(source, { onParseError: ({ code }) => errors.push(code) }))
  return { elements, hasComments, errors }
}

function textOf({ value = '', childNodes = [] }: Node): string {
  return value + childNodes.map(textOf).join('')
}

/** All elements in an element, in their order. */
export function descendants({ children }: Element): readonly Element[] {
  return children.flatMap((child) => [child, ...descendants(child)])
}
