/** Errors of a public demo. */
export const demoErrors = {
  DEMO_KEEPS_THIS: {
    status: 409,
    message: 'This demo leaves that as it is, so that everyone can log in until it starts afresh. Nothing was changed.',
  },
  DEMO_IS_FULL: {
    status: 413,
    message: 'This demo takes no more until it starts afresh, at the next full hour, and no large files.',
  },
  DEMO_PERSON_GONE: {
    status: 409,
    message: 'Another visitor has closed this account. It is back when the demo starts afresh; choose another person.',
  },
} as const
