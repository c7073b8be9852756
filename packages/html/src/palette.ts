import { colourText, contrast, mix, parseColour, type Colour } from './colour.ts'

/** The colours that depend on the accent, in one mode. */
export interface AccentColours {
  readonly accent: string
  /** A control under the pointer. */
  readonly pressed: string
  /** Text on the accent. */
  readonly onAccent: string
  /** A surface with a touch of the accent. */
  readonly wash: string
}

/** The colours of surfaces and text, which no setting changes. Soft text has a contrast of 7:1 (WCAG 2.2, 1.4.6, level AAA). */
export const surfaces = {
  light: { paper: '#f6f4ee', card: '#fffefb', ink: '#1f2528', soft: '#495056' },
  dark: { paper: '#111415', card: '#191d1f', ink: '#eae7e0', soft: '#b0b6b9' },
} as const

/** The accent of pages whose operator chose none. */
export const ownAccent = {
  light: { accent: '#0e5f57', pressed: '#0a4a44', onAccent: '#ffffff', wash: '#edf4f1' },
  dark: { accent: '#7ccfc1', pressed: '#a5e0d6', onAccent: '#06211d', wash: '#16282a' },
} as const satisfies Record<'light' | 'dark', AccentColours>

/** The colour of the seal on envelopes, in each mode. */
export const sealColours = { light: '#98461a', dark: '#a9562a' } as const

/** Text needs this contrast (WCAG 2.2, 1.4.3, level AA). */
const textContrast = 4.5

const white: Colour = [255, 255, 255]
const black: Colour = [0, 0, 0]

/**
 * The colours for an accent. The accent itself is used in light mode. No colour has enough contrast to light and to dark surfaces alike,
 * so dark mode has the accent with as much white as its surfaces need.
 *
 * @param accent `#rrggbb`
 * @returns `undefined` when the text is no such colour, or when its contrast to a surface, or that of the text on it, is below 4.5:1 in
 * either mode
 */
export function accentColours(
  accent: string,
): { readonly light: AccentColours; readonly dark: AccentColours } | undefined {
  const colour = parseColour(accent)
  if (colour === undefined) return undefined
  const light = coloursOn('light', colour, black)
  const lighter = Array.from({ length: 21 }, (_, step) => mix(colour, white, step / 20))
  const dark = lighter.map((shade) => coloursOn('dark', shade, white)).find((found) => found !== undefined)
  return light && dark && { light, dark }
}

/** The variables of the base sheet that depend on the accent. */
export function accentRules(modes: { readonly light: AccentColours; readonly dark: AccentColours }): string {
  const rules = ({ accent, pressed, onAccent, wash }: AccentColours): string =>
    `:root { --accent: ${accent}; --pressed: ${pressed}; --on-accent: ${onAccent}; --wash: ${wash}; }`
  return `${rules(modes.light)} @media (prefers-color-scheme: dark) { ${rules(modes.dark)} }`
}

/** The colours in one mode; `undefined` when a contrast is too small. A pressed control differs from the accent `towards` a colour. */
function coloursOn(mode: 'light' | 'dark', accent: Colour, towards: Colour): AccentColours | undefined {
  const paper = known(surfaces[mode].paper)
  const card = known(surfaces[mode].card)
  const ink = known(surfaces[mode].ink)
  const wash = mix(card, accent, mode === 'light' ? 0.07 : 0.12)
  const pressed = mix(accent, towards, 0.25)
  const onAccent = mode === 'light' ? white : mix(black, accent, 0.15)
  const pairs: readonly (readonly [Colour, Colour])[] = [
    ...[paper, card, wash].map((surface) => [accent, surface] as const),
    [pressed, wash],
    [onAccent, accent],
    [onAccent, pressed],
    [ink, wash],
  ]
  if (pairs.some(([one, other]) => contrast(one, other) < textContrast)) return undefined
  return {
    accent: colourText(accent),
    pressed: colourText(pressed),
    onAccent: colourText(onAccent),
    wash: colourText(wash),
  }
}

function known(text: string): Colour {
  return parseColour(text) ?? black
}
