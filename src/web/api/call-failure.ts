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
 * The only thing `call()` throws. `network`: nobody answered in time. `refused`: an answer that is no success, or a success
 * in a shape nobody promised. Its message is the answer's `message`, else the status text.
 */
export class CallFailure extends Error {
  readonly kind: 'refused' | 'network'
  /** 0 when nobody answered. */
  readonly status: number
  readonly statusText: string
  readonly code: ErrorCode | undefined
  /** What the server itself said; undefined when its answer carried no sentence. */
  readonly sentence: string | undefined
  /** Sentences by field name. */
  readonly errors: Readonly<Record<string, string>>
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(refusal?: Refusal, options?: ErrorOptions) {
    super(refusal ? (refusal.sentence ?? refusal.statusText ?? '') : 'Network error', options)
    this.name = 'CallFailure'
    this.kind = refusal ? 'refused' : 'network'
    this.status = refusal?.status ?? 0
    this.statusText = refusal?.statusText ?? ''
    this.code = refusal?.code
    this.sentence = refusal?.sentence
    this.errors = refusal?.errors ?? {}
    this.retryAfter = refusal?.retryAfter
  }
}
