/** A 200 that says it did not succeed. Its message is the server's sentence, or empty. */
export class UnsuccessfulEmailCall extends Error {}

interface EmailReply {
  success: boolean
  error?: string | undefined
  message?: string | undefined
}

/** The two calls under /email say in their reply whether they succeeded (specification 7). @throws {UnsuccessfulEmailCall} */
export function requireEmailSuccess({ success, error, message }: EmailReply): void {
  if (!success) throw new UnsuccessfulEmailCall(error ?? message ?? '')
}
