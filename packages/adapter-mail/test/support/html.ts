import { html, parse, type DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** What a browser makes of a document: its elements in order, its text, and the parser's errors (HTML, “parse errors”). */
export interface ReadHtml {
  readonly errors: readonly string[]
  readonly elements: readonly {
    readonly name: string
    readonly attributes: Readonly<Record<string, string>>
  }[]
  /** Of the body. */
  readonly text: string
}

export function readHtml(source: string): ReadHtml {
  const errors: string[] = []
  const document = parse(source, { onParseError: ({ code }) => errors.push(code) })
  const nodes = descendants(document.childNodes)
  const elements = nodes.filter(
    (node): node is Element => 'tagName' in node && node.namespaceURI === html.NS.HTML,
  )
  const body = elements.find(({ tagName }) => tagName === 'body')
  return {
    errors,
    elements: elements.map(({ tagName, attrs }) => ({
      name: tagName,
      attributes: Object.fromEntries(attrs.map(({ name, value }) => [name, value])),
    })),
    text: descendants(body?.childNodes ?? [])
      .map((node) => ('value' in node ? node.value : ''))
      .join(''),
  }
}

function descendants(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => [node, ...('childNodes' in node ? descendants(node.childNodes) : [])])
}
