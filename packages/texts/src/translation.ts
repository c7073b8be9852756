/**
 * Texts in another language than English: the same keys, and in each text the placeholders of the English one, such as `{name}`. Whatever is
 * missing or superfluous does not compile.
 */
export type Translation<English> = English extends string
  ? Filling<English>
  : [keyof English] extends [Intl.LDMLPluralRule]
    ? Counted<English>
    : { readonly [Key in keyof English]: Translation<English[Key]> }

/** A text with the same placeholders. */
type Filling<English> = English extends `${string}{${infer Name}}${infer Rest}`
  ? `${string}{${Name}}${string}` & Filling<Rest>
  : string

/**
 * Wordings for a number, one for each plural category of the language. A category of a single number may write that number as a word, as
 * the Arabic dual does; every other one contains the placeholder.
 */
type Counted<English> = Partial<Record<'zero' | 'one' | 'two', string>> &
  (English extends { readonly other: infer Wording }
    ? Partial<Record<'few' | 'many', Filling<Wording>>> & { readonly other: Filling<Wording> }
    : never)
