const secondsIn = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

/** The seconds in a duration such as `90d`, `12h`, `30m` or `45s`; `undefined` for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,9})([smhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * secondsIn[unit as keyof typeof secondsIn]
}
