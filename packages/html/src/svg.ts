/** The elements of a plain drawing. None of them runs, loads or embeds anything. */
const elements = new Set(
  (
    'svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter feGaussianBlur feOffset feBlend feColorMatrix feFlood ' +
    'feComposite feMerge feMergeNode feDropShadow'
  ).split(' '),
)

const name = '[A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?'
const space = '[ \\t\\r\\n]'
const value = `"[^"<]*"|'[^'<]*'`
const declaration = new RegExp(`^\\ufeff?(?:<\\?xml(?:${space}[^?<>]*)?\\?>)?`)
const attribute = new RegExp(`${space}+(${name})${space}*=${space}*(${value})`, 'gy')
const token = new RegExp(
  `<!--(?:(?!--)[^])*-->|</(${name})${space}*>|<(${name})((?:${space}+${name}${space}*=${space}*(?:${value}))*)${space}*(/?)>|[^<]+`,
  'y',
)
const references = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)/

/**
 * Whether a text is an SVG document that is nothing but a drawing: well-formed, with elements of a short list only, so no script,
 * foreignObject, image, link or animation; no event attributes; no references but to its own parts; no document type or processing
 * instruction. Strict on purpose: what it does not know, it refuses.
 */
export function isPlainSvg(text: string): boolean {
  const open: string[] = []
  let roots = 0
  token.lastIndex = declaration.exec(text)?.[0].length ?? 0
  while (token.lastIndex < text.length) {
    const found = token.exec(text)
    if (found === null) return false
    const [whole, closed, opened, attributes = '', empty] = found
    if (closed !== undefined) {
      if (open.pop() !== closed) return false
    } else if (opened !== undefined) {
      if (open.length === 0 && ((roots += 1) > 1 || opened !== 'svg')) return false
      if (!elements.has(opened) || !arePlain(attributes, opened)) return false
      if (empty === '') open.push(opened)
    } else if (!whole.startsWith('<!--') && !isPlainText(whole, open.at(-1))) return false
  }
  return roots === 1 && open.length === 0
}

function arePlain(attributes: string, element: string): boolean {
  const seen = new Map<string, string>()
  for (const [, key = '', quoted = ''] of attributes.matchAll(attribute)) {
    if (seen.has(key) || !isPlainAttribute(key, quoted.slice(1, -1))) return false
    seen.set(key, quoted.slice(1, -1))
  }
  // Browsers show an SVG file as a drawing only if its namespace says that it is one.
  return element !== 'svg' || seen.get('xmlns') === 'http://www.w3.org/2000/svg'
}

function isPlainAttribute(key: string, text: string): boolean {
  if (key === 'xmlns') return text === 'http://www.w3.org/2000/svg'
  if (key.startsWith('xmlns:')) return true
  if (/^on/i.test(key) || key === 'xml:base' || key === 'src') return false
  // A reference could hide what the style rules look for.
  if (text.includes('&')) return false
  if (/(?:^|:)href$/i.test(key)) return text.startsWith('#')
  return isPlainStyle(text)
}

function isPlainText(text: string, element: string | undefined): boolean {
  if (element === undefined) return text.trim() === ''
  return !references.test(text) && (element !== 'style' || (isPlainStyle(text) && !text.includes('&')))
}

/** No escapes, no imports, and no address but that of a part of the same document. */
function isPlainStyle(css: string): boolean {
  return !/\\|@import|image-set|javascript:|url\((?!\s*["']?#)|src\(/i.test(css)
}
