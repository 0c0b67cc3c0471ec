/** A 200 reply with `success: false`. Its message is the server's, or empty. */
export class ResetError extends Error {}
