declare const htmlBrand: unique symbol

/** Markup that is safe to send: only {@link markup}, {@link trusted} and {@link filled} make it. */
export interface Html {
  readonly text: string
  readonly [htmlBrand]: true
}

/** A value in a template: text is escaped, `undefined` and `false` are nothing, the items of a list follow one another. */
export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[]

/**
 * Makes markup from a template. Every text in it is escaped, for elements and for quoted attributes alike. The template's own
 * indentation is removed.
 */
export function markup(template: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = unindented(template)
  let text = parts[0] ?? ''
  for (let at = 0; at < values.length; at += 1) text += textOf(values[at]) + (parts[at + 1] ?? '')
  return trusted(text)
}

/** Takes markup as it is. Only for texts of our own sources. */
export function trusted(text: string): Html {
  return { text } as Html
}

/**
 * A sentence whose placeholders are replaced by text or markup.
 * @param sentence one of our own texts; `{name}` is replaced by `fillings.name`
 */
export function filled(sentence: string, fillings: Readonly<Record<string, HtmlValue>>): Html {
  let text = ''
  for (const { before, name } of partsOf(sentence))
    text += before + textOf(name === undefined ? undefined : fillings[name])
  return trusted(text)
}

/** Markup of a sentence, and the placeholder that follows it. */
interface SentencePart {
  readonly before: string
  readonly name: string | undefined
}

const sentences = new Map<string, readonly SentencePart[]>()

function partsOf(sentence: string): readonly SentencePart[] {
  const known = sentences.get(sentence)
  if (known !== undefined) return known
  const pieces = sentence.split(/\{(\w+)\}/)
  const parts: SentencePart[] = []
  for (let at = 0; at < pieces.length; at += 2)
    parts.push({ before: escapeText(pieces[at] ?? ''), name: pieces[at + 1] })
  sentences.set(sentence, parts)
  return parts
}

/** A sentence as plain text, whose placeholders are replaced by text. */
export function filledText(sentence: string, fillings: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => fillings[name] ?? '')
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // The parser turns a bare carriage return into a line feed (HTML, “preprocessing the input stream”), but not a reference to one.
  '\r': '&#13;',
}

/** Escapes text for an element or a quoted attribute. A browser reads exactly the same text from it. */
export function escapeText(text: string): string {
  // Most texts need no escape, and testing them takes a third of the time.
  if (!/[&<>"'\r]/.test(text)) return text
  return text.replace(/[&<>"'\r]/g, (character) => escapes[character] ?? character)
}

/**
 * A text of ours that pages in all languages have. Its characters beyond Latin-1 become references: a single one makes V8 store the whole
 * page with two bytes for each character, and encoding such a page takes six times as long.
 */
export function inLatin1(text: string): Html {
  const reference = (character: string): string => `&#${character.codePointAt(0)};`
  // The characters are joined, because what `replace` makes of a text with two bytes for each character has two bytes for each, too.
  return trusted(Array.from(text, (each) => (each <= '\xff' ? escapeText(each) : reference(each))).join(''))
}

const templates = new WeakMap<TemplateStringsArray, readonly string[]>()

function unindented(template: TemplateStringsArray): readonly string[] {
  const known = templates.get(template)
  if (known !== undefined) return known
  const parts = template.map((part) => part.replace(/\n\s+/g, '\n'))
  templates.set(template, parts)
  return parts
}

function textOf(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  if ('text' in value) return value.text
  return value.map(textOf).join('')
}
