import { CallFailure } from '#web/api/call-failure.ts'

/** Its message is one of the fixed sentences. */
export class CheckoutProblem extends Error {}

/** The sentence for a checkout that could not be started: the server's own where it has one. */
export function explainCheckout(failure: unknown, { refused, network }: { refused: string; network: string }): string {
  if (failure instanceof CheckoutProblem) return failure.message
  if (failure instanceof CallFailure && failure.kind === 'refused') return failure.sentence ?? refused
  return network
}
