interface StuckBox {
  readonly selector: string
  readonly edge: 'start' | 'end'
  /** What a page has where the box sticks: a selector without `:has()`, which cannot be nested. By default the box. */
  readonly sign?: string
  /** What else the box has while it sticks. */
  readonly more?: string
}

/**
 * The rules for a box that sticks to an edge of the window while a page is scrolled. What gets the focus is scrolled clear of it (WCAG 2.2,
 * 2.4.11), also where its buttons take two rows. In a low window, which it would fill, it does not stick.
 */
export function stuck({ selector, edge, sign = selector, more = '' }: StuckBox): string {
  return `@media (min-height: 30rem) {
  ${selector} { position: sticky; inset-block-${edge}: 0; ${more} }
  :root:has(${sign}) { scroll-padding-block-${edge}: 9.5rem; }
}
`
}
