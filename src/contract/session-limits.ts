/** Of `limits`, what every page needs from its first moment: the rest stays with the forms. */
export const sessionLimits = { refreshThresholdMs: 300_000, validityCheckMs: 60_000 } as const
