/** What the campaign knows of a capability that can be taken out, besides that its folders are called so. */
export interface Leaf {
  readonly word: string
  /** The packages that are the capability's alone. */
  readonly packages: readonly string[]
  /** Files that are the capability's alone outside of its folders. */
  readonly files: readonly string[]
  /** Further names, and texts in quotes, by which lists have what is the capability's where no type tells so. Each stands in some list. */
  readonly names: readonly string[]
  /** The places that are no elements of lists. */
  readonly edits: readonly Edit[]
  /** Files of tests that are left out. */
  readonly leftOut: readonly LeftOut[]
}

/** A place that names the capability and is no element of a list. */
export interface Edit {
  /** The path from the root of the checkout. */
  readonly file: string
  /** The text there, which must occur once. */
  readonly from: string
  readonly to: string
  /** Why this is no list. */
  readonly why: string
}

export interface LeftOut {
  readonly file: string
  readonly why: string
}
