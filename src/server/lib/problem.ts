import { errors, type ErrorBody, type ErrorCode } from '#contract/errors.ts'

/** An error the visitor may see. Any other error is a bug and is reported only as "on our side". */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly rate: { retryAfter: number; limit: number; window: number } | undefined

  constructor(
    code: ErrorCode,
    details: {
      /** Messages by field; the first becomes `message` unless one is given. */
      fields?: Record<string, string>
      message?: string
      rate?: { retryAfter: number; limit: number; window: number }
    } = {},
  ) {
    super(details.message ?? Object.values(details.fields ?? {})[0] ?? errors[code].message)
    this.name = 'Problem'
    this.code = code
    this.fields = details.fields
    this.rate = details.rate
  }

  get status(): number {
    return errors[this.code].status
  }

  /** @param reportsSuccess see `Endpoint` in the contract */
  toBody(reportsSuccess = false): ErrorBody {
    return {
      ...(reportsSuccess && { success: false as const, error: this.message }),
      message: this.message,
      code: this.code,
      ...(this.fields && { errors: this.fields }),
      ...(this.rate && { retryAfter: this.rate.retryAfter, limit: this.rate.limit, window: this.rate.window }),
    }
  }
}

/** Invalid input in one field. */
export function fieldProblem(field: string, sentence: string): Problem {
  return new Problem('INVALID_INPUT', { fields: { [field]: sentence } })
}
