import { labelError } from '@sotto/core'
import { contactLink } from './contact.ts'
import { styleSheet, type Embedded } from './embedded.ts'
import { markup, type Html } from './html.ts'
import { logoUrl } from './logo.ts'
import { iconOf, mark } from './mark.ts'
import { accentColours, accentRules, ownAccent } from './palette.ts'

/** How a service shows itself on all of its pages. What is not given is Sotto's own. */
export interface Branding {
  /** 1 to 40 code points, nothing that people do not see, without spaces at either end; `Sotto` by default. */
  readonly name?: string | undefined
  /** The bytes of a PNG file, or of an SVG file that is nothing but a drawing: 100 KiB at most. */
  readonly logo?: Uint8Array | undefined
  /** `#rrggbb`, with a contrast of 4.5:1 to the light surfaces (WCAG 2.2 AA). Dark mode has a lighter shade of it. */
  readonly accent?: string | undefined
  /** An email address or an http(s) URL, shown where a recipient finds no message. */
  readonly contact?: string | undefined
}

/** The name and the signs under which a service shows itself, on all pages alike. */
export interface Brand {
  readonly name: string
  /** Decoration beside the name. */
  readonly mark: Html
  /** The icon of the tab: a data URL. */
  readonly icon: string
  /** The rules for its logo and its colours, where they are not those of the base sheet. */
  readonly sheet: Embedded | undefined
  /** A link to whoever runs the service. */
  readonly contact: Html | undefined
}

/** The rules for each part of a {@link Branding}. */
export const brandingRules = {
  name: (text: string): boolean => labelError(text, 40) === undefined && text === text.trim(),
  logo: (bytes: Uint8Array): boolean => logoUrl(bytes) !== undefined,
  accent: (text: string): boolean => accentColours(text) !== undefined,
  contact: (text: string): boolean => contactLink(text) !== undefined,
} as const

/**
 * The name and the signs of a service, with Sotto's own for what is not given.
 * @throws TypeError when a part breaks its rule
 */
export function brandOf(branding: Branding = {}): Brand {
  const { name = 'Sotto', logo, accent, contact } = branding
  if (!brandingRules.name(name)) throw new TypeError('branding.name is not a name for a service')
  const url = logo && needed('logo', logoUrl(logo))
  const colours = accent === undefined ? undefined : needed('accent', accentColours(accent))
  const rules = `${url === undefined ? '' : logoRules}${colours === undefined ? '' : accentRules(colours)}`
  return {
    name,
    mark: url === undefined ? mark : markup`<img class="logo" src="${url}" alt="">`,
    icon: url ?? iconOf((colours ?? ownAccent).light.accent),
    sheet: rules === '' ? undefined : styleSheet(rules),
    contact: contact === undefined ? undefined : needed('contact', contactLink(contact)),
  }
}

const logoRules = '.logo { flex: none; height: 1.75rem; max-width: 8rem; object-fit: contain; }'

function needed<T>(part: keyof Branding, found: T | undefined): T {
  if (found === undefined) throw new TypeError(`branding.${part} breaks its rule: see Branding`)
  return found
}
