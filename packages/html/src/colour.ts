/** A colour as its red, green and blue parts, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** Reads `#rrggbb`; `undefined` for anything else. */
export function parseColour(text: string): Colour | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return undefined
  const part = (at: number): number => Number.parseInt(text.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

/** Writes `#rrggbb`. */
export function colourText(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, “contrast ratio”). */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** @param share how much of the second colour, 0 to 1 */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const part = (at: 0 | 1 | 2): number => Math.round(one[at] * (1 - share) + other[at] * share)
  return [part(0), part(1), part(2)]
}

/** WCAG 2.2, “relative luminance”. */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
