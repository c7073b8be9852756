import { remembered } from '@sotto/html'

/** Content negotiation: media types and languages with their weights (RFC 9110, section 12). Browsers send few different values. */

/** The media type that a client prefers; `either` when it has no preference or accepts neither. */
export type PreferredType = 'html' | 'json' | 'either'

interface Weighted {
  /** The range in lower case, without parameters. */
  readonly range: string
  /** 0 to 1; 0 means not acceptable. */
  readonly weight: number
}

/**
 * Reads an Accept header. The most specific range that matches a type gives its weight. If the weights are equal, the more specific
 * range wins, so `text/html` beside a wildcard means HTML. Parameters other than the weight are ignored.
 *
 * @param accept `undefined` when the header is missing, which means that anything is acceptable
 */
export function preferredType(accept = ''): PreferredType {
  return typeByHeader(accept)
}

const typeByHeader = remembered((accept: string): PreferredType => {
  const ranges = weightedList(accept)
  const html = bestMatch(ranges, 'text/html')
  const json = bestMatch(ranges, 'application/json')
  const difference = html.weight - json.weight || html.specificity - json.specificity
  if (difference === 0 || Math.max(html.weight, json.weight) === 0) return 'either'
  return difference > 0 ? 'html' : 'json'
})

/**
 * The supported language that an Accept-Language header prefers, or the first one if it accepts none of them. A range matches by its
 * primary subtag (`de-AT` matches `de`), as in the look-up of RFC 4647.
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
    const match = language === '*' ? open[0] : open.find((candidate) => candidate === language)
    if (weight > 0 && match !== undefined) return match
  }
  return supported[0]
}

/** The weight of the most specific range that matches a type, and how specific that range is. */
function bestMatch(ranges: readonly Weighted[], type: string): { weight: number; specificity: number } {
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

/** The elements of a comma-separated list, in order. A comma in a quoted string does not separate; elements with invalid weights are dropped. */
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
