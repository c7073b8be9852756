// The wire has 0 for "without limit"; the core says `undefined`. Nothing else translates between the two.

/** The core's open limit as the wire writes it. */
export function toWireOpenLimit(openLimit: number | undefined): number {
  return openLimit ?? 0
}

/** The wire's open limit as the core takes it. JSON can also spell a negative zero, which is 0 too. */
export function fromWireOpenLimit(openLimit: number): number | undefined {
  return openLimit === 0 ? undefined : openLimit
}
