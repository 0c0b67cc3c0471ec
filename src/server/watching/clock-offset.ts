const STRIPE = 'https://api.stripe.com'
const WITHIN_MS = 2_500
/** A Date header has whole seconds: on average it is half of one behind. */
const HALF_A_SECOND_MS = 500

/**
 * How far this machine's clock is ahead of the card provider's, in milliseconds, by the Date header of any answer of its; null when none comes. The
 * machine's own time is compared, not the clock that stand-ins may have moved.
 */
export async function readClockOffset(apiUrl: string | null): Promise<number | null> {
  const askedAt = Date.now()
  try {
    const answer = await fetch(apiUrl ?? STRIPE, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    await answer.body?.cancel()
    const said = Date.parse(answer.headers.get('date') ?? '')
    return Number.isNaN(said) ? null : (askedAt + Date.now()) / 2 - (said + HALF_A_SECOND_MS)
  } catch {
    return null
  }
}
