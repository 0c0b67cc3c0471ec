/** The part of `limits` that every page needs at start; the rest is loaded with the forms. */
export const sessionLimits = { refreshThresholdMs: 300_000, validityCheckMs: 60_000 } as const
