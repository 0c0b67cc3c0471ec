import { CallFailure } from '#web/api/call-failure.ts'

/** Its message is one of the fixed messages. */
export class CheckoutError extends Error {}

/** The message for a checkout that could not be started: the server's own if it sent one. */
export function checkoutErrorMessage(
  failure: unknown,
  { refused, network }: { refused: string; network: string },
): string {
  if (failure instanceof CheckoutError) return failure.message
  if (failure instanceof CallFailure && failure.kind === 'refused') return failure.serverMessage ?? refused
  return network
}
