/** What the small installation of a run allows. */
export const policy = { noteMaxBytes: 64, quota: { perMinute: 5, perDay: 12 } } as const
