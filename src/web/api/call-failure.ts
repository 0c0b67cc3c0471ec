import type { ErrorCode } from '#contract/errors.ts'

interface Refusal {
  status: number
  statusText?: string
  code?: ErrorCode
  sentence?: string
  errors?: Record<string, string>
  retryAfter?: number
}

/**
 * The only error that `call()` throws. `network`: no response in time. `refused`: an error status, or a success whose
 * body does not match the contract. The message is the response's `message`, else the status text.
 */
export class CallFailure extends Error {
  readonly kind: 'refused' | 'network'
  /** 0 without a response. */
  readonly status: number
  readonly statusText: string
  readonly code: ErrorCode | undefined
  /** The server's own message; undefined if the response had none. */
  readonly serverMessage: string | undefined
  /** Messages by field name. */
  readonly fieldErrors: Readonly<Record<string, string>>
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(refusal?: Refusal, options?: ErrorOptions) {
    super(refusal ? (refusal.sentence ?? refusal.statusText ?? '') : 'Network error', options)
    this.name = 'CallFailure'
    this.kind = refusal ? 'refused' : 'network'
    this.status = refusal?.status ?? 0
    this.statusText = refusal?.statusText ?? ''
    this.code = refusal?.code
    this.serverMessage = refusal?.sentence
    this.fieldErrors = refusal?.errors ?? {}
    this.retryAfter = refusal?.retryAfter
  }
}
