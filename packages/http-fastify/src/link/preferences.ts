/** Chooses among what a client says it prefers: media types and languages with their weights (RFC 9110, section 12). */

/** The media type in which a client would rather be answered; `either` when it does not care or names none of the two. */
export type PreferredType = 'html' | 'json' | 'either'

interface Weighted {
  /** In lower case, without parameters. */
  readonly range: string
  /** 0 to 1; 0 means: not this one. */
  readonly weight: number
}

/**
 * Reads an Accept header. The most specific range that fits a type gives its weight; of two equal weights the more specific
 * range wins, so `text/html` beside a wildcard still asks for HTML. Parameters other than the weight are ignored.
 *
 * @param accept `undefined` when the header is missing, which means: anything
 */
export function preferredType(accept: string | undefined): PreferredType {
  const ranges = weightedList(accept ?? '')
  const html = standing(ranges, 'text/html')
  const json = standing(ranges, 'application/json')
  const difference = html.weight - json.weight || html.specificity - json.specificity
  if (difference === 0 || Math.max(html.weight, json.weight) === 0) return 'either'
  return difference > 0 ? 'html' : 'json'
}

/**
 * The first of the `supported` languages when an Accept-Language header asks for none of them, or else the one that it prefers
 * (basic look-up of RFC 4647: `de-AT` is served with `de`).
 *
 * @param supported lower-case primary subtags
 */
export function preferredLanguage<Language extends string>(
  acceptLanguage: string | undefined,
  supported: readonly [Language, ...Language[]],
): Language {
  const ranges = weightedList(acceptLanguage ?? '').map(({ range, weight }) => ({
    language: range.split('-', 1)[0] ?? range,
    weight,
    whole: !range.includes('-'),
  }))
  const refused = ranges.filter(({ weight, whole }) => weight === 0 && whole).map(({ language }) => language)
  const open = supported.filter((language) => !refused.includes(language))
  for (const { language, weight } of ranges.toSorted((one, other) => other.weight - one.weight)) {
    const fits = language === '*' ? open[0] : open.find((candidate) => candidate === language)
    if (weight > 0 && fits !== undefined) return fits
  }
  return supported[0]
}

/** How a type stands in the list: the weight of the most specific range that fits it, and how specific that is. */
function standing(ranges: readonly Weighted[], type: string): { weight: number; specificity: number } {
  const candidates = ['*/*', `${type.split('/', 1)[0] ?? ''}/*`, type]
  let best = { weight: 0, specificity: -1 }
  for (const { range, weight } of ranges) {
    const specificity = candidates.indexOf(range)
    if (specificity < 0 || specificity < best.specificity) continue
    best =
      specificity > best.specificity
        ? { weight, specificity }
        : { ...best, weight: Math.max(best.weight, weight) }
  }
  return best
}

/** The elements of a comma-separated list in their order. A comma in a quoted string separates nothing; unreadable weights are dropped. */
function weightedList(header: string): Weighted[] {
  const list: Weighted[] = []
  for (const [element] of header.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g)) {
    const [range = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase())
    const weight = weightOf(parameters)
    if (range !== '' && weight !== undefined) list.push({ range, weight })
  }
  return list
}

function weightOf(parameters: readonly string[]): number | undefined {
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (quality === undefined) return 1
  const value = quality.slice(quality.indexOf('=') + 1).trim()
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value) ? Number(value) : undefined
}
