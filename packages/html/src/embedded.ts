import { createHash } from 'node:crypto'

/** A style sheet or a script within a page, and what the page's content security policy needs to allow exactly it. */
export interface Embedded {
  readonly directive: 'style-src' | 'script-src'
  /** The element in UTF-8. */
  readonly element: Buffer
  /** The source expression for the directive (CSP 3, section 2.3.1): the SHA-256 digest of the text. */
  readonly source: string
}

/** A sheet without what only people need. Create it once: its digest is computed when a page first needs it. */
export function styleSheet(css: string): Embedded {
  return embedded('style', () => compactCss(css))
}

/** A script from parts that share a scope. Create it once: its digest is computed when a page first needs it. */
export function pageScript(...parts: readonly string[]): Embedded {
  return embedded('script', () => `(() => {\n${parts.map(withoutIndentation).join('\n')}\n})()`)
}

/** Not computed before it is needed: a start would wait for the digests of all pages. */
function embedded(tag: 'style' | 'script', textOf: () => string): Embedded {
  let made: Pick<Embedded, 'element' | 'source'> | undefined
  const make = () => {
    const text = textOf()
    return { element: Buffer.from(`<${tag}>${text}</${tag}>`), source: sourceOf(text) }
  }
  return {
    directive: `${tag}-src`,
    get element() {
      return (made ??= make()).element
    },
    get source() {
      return (made ??= make()).source
    },
  }
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function compactCss(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;\}/g, '}')
    .trim()
}

/** No string in the scripts of pages needs its indentation. */
function withoutIndentation(javascript: string): string {
  return javascript.replace(/\n\s+/g, '\n').trim()
}
